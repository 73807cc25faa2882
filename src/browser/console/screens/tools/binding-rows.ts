import { isObject } from "../../ui/json.ts";

/** Where an argument's value comes from: the model, or Switchboard, which fills it in. */
const SOURCES = ["model", "visitor.id", "call.id", "call.from_number", "call.to_number", "contact"] as const;
export type Source = (typeof SOURCES)[number];

export interface BindingRow {
  source: Source;
  column: string;
  /** Whether an unverified claim of the other party is accepted. */
  unverified: boolean;
}

const CONTACT = "contact.";

/** Returns how a tool's stored bindings fill in an argument. */
export function bindingRow(bind: Record<string, unknown>, name: string): BindingRow {
  const binding = Object.hasOwn(bind, name) ? bind[name] : undefined;
  const from = isObject(binding) ? binding.from : binding;
  const unverified = isObject(binding) && binding.unverified === true;
  if (typeof from !== "string") return { source: "model", column: "", unverified: false };
  if (from.startsWith(CONTACT)) return { source: "contact", column: from.slice(CONTACT.length), unverified };
  return { source: SOURCES.find((each) => each === from) ?? "model", column: "", unverified };
}

/** Returns the bindings with one argument changed. */
export function withBinding(bind: Record<string, unknown>, name: string, row: BindingRow): Record<string, unknown> {
  const others = Object.entries(bind).filter(([each]) => each !== name);
  if (row.source === "model") return Object.fromEntries(others);
  const from = row.source === "contact" ? `${CONTACT}${row.column}` : row.source;
  return Object.fromEntries([
    ...others,
    [name, row.unverified && isClaim(row.source) ? { from, unverified: true } : from],
  ]);
}

/** Checks whether a source may be an unverified claim of the other party. */
export const isClaim = (source: Source): boolean => source === "visitor.id" || source === "call.from_number";

/** Returns the bindings of arguments that still exist. */
export function bindingsOf(bind: Record<string, unknown>, parameters: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(bind).filter(([name]) => parameters.includes(name)));
}
