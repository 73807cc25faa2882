import type { CatalogField } from "../types.ts";

export const needed = (name: string, label: string, description: string): CatalogField => ({
  name,
  label,
  required: true,
  description,
});
export const optional = (name: string, label: string, description: string): CatalogField => ({
  name,
  label,
  required: false,
  description,
});
