import { isObject } from "../../ui/json.ts";

/** Where an argument's value comes from: the model, or something the platform fills in. */
const SOURCES = ["model", "visitor.id", "call.id", "call.from_number", "call.to_number", "contact"] as const;
export type Source = (typeof SOURCES)[number];

/** How an argument is filled in, as the form shows it. */
export interface BindingRow {
  source: Source;
  /** Of a contact. */
  column: string;
  /** Whether the other side's own word is enough. */
  unverified: boolean;
}

const CONTACT = "contact.";

/** How a tool's bindings, as it stores them, fill in an argument. */
export function bindingRow(bind: Record<string, unknown>, name: string): BindingRow {
  const binding = Object.hasOwn(bind, name) ? bind[name] : undefined;
  const from = isObject(binding) ? binding.from : binding;
  const unverified = isObject(binding) && binding.unverified === true;
  if (typeof from !== "string") return { source: "model", column: "", unverified: false };
  if (from.startsWith(CONTACT)) return { source: "contact", column: from.slice(CONTACT.length), unverified };
  return { source: SOURCES.find((each) => each === from) ?? "model", column: "", unverified };
}

/** The bindings with one argument filled in so. */
export function withBinding(bind: Record<string, unknown>, name: string, row: BindingRow): Record<string, unknown> {
  const others = Object.entries(bind).filter(([each]) => each !== name);
  if (row.source === "model") return Object.fromEntries(others);
  const from = row.source === "contact" ? `${CONTACT}${row.column}` : row.source;
  return Object.fromEntries([
    ...others,
    [name, row.unverified && isClaim(row.source) ? { from, unverified: true } : from],
  ]);
}

/** Whether a source may be no more than what the other side says of itself. */
export const isClaim = (source: Source): boolean => source === "visitor.id" || source === "call.from_number";

/** The bindings of arguments that still exist. */
export function bindingsOf(bind: Record<string, unknown>, parameters: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(bind).filter(([name]) => parameters.includes(name)));
}
