import type { CatalogField, CatalogIntegration, HostRule } from "../types.ts";

export const needed = (name: string, label: string, description: string): CatalogField => ({
  name,
  label,
  required: true,
  description,
});
/** Returns a required param that determines to which host secrets are sent. */
export const deciding = (name: string, label: string, description: string, host: HostRule): CatalogField =>
  Object.assign(needed(name, label, description), { host });
export const optional = (name: string, label: string, description: string): CatalogField => ({
  name,
  label,
  required: false,
  description,
});

/** An integration that cannot be connected yet. Nothing is stored for it, so it has no fields. */
type Unconnected = Pick<CatalogIntegration, "id" | "name" | "display_name" | "description" | "category" | "hosts"> & {
  auth: "oauth" | "signature";
  /** The reason, as the end of the sentence "It cannot be connected yet: …". */
  why: string;
};

export const unconnected = ({ why, ...fields }: Unconnected): CatalogIntegration => ({
  ...fields,
  params: [],
  secrets: [],
  checks: { none: why },
});
