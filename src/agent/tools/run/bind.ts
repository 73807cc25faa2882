import type { Binding, Bindings } from "../../../kernel/db/schema/index.ts";
import type { FieldError } from "../../../kernel/http/errors.ts";
import { isObject } from "../../../kernel/objects.ts";
import { variableName } from "../../../kernel/rendering/variables.ts";
import { type Arguments, argumentNames } from "./arguments.ts";

/** Matches the source of a bound argument: a fixed name, or `contact.` and a column's name. */
export const BINDING_SOURCE = /^(visitor\.id|call\.(id|from_number|to_number)|contact\.\S(.{0,98}\S)?)$/;

/** The facts about a conversation that arguments can be bound to. */
export interface BindingParty {
  call: { id: string; direction: "outbound" | "inbound"; from_number: string; to_number: string } | null;
  visitor: { id: string; type: "guest" | "user" } | null;
  /** The contact's columns and the call's own variables. They come from the account, or from a tester. */
  variables: Record<string, string>;
  /** Whether a tester of the account takes part, who chose the variables. */
  isTester?: boolean;
}

export type BoundArguments = { values: Record<string, string> } | { refused: string };

/**
 * Returns the values that code fills in for a tool's bound arguments. Unverified values (a guest's id, an inbound
 * caller's number, a tester's variables) are accepted only if the binding says `unverified`.
 */
export function bindArguments(bind: Bindings | null, party: BindingParty): BoundArguments {
  const values: [string, string][] = [];
  for (const [name, binding] of Object.entries(bind ?? {})) {
    const { from, unverified } = bindingSource(binding);
    const found = sourceValue(from, party);
    if (found === null || found.value === "")
      return { refused: `the argument ${name} is bound to ${from}, which this conversation does not have` };
    if (!found.isVerified && !unverified)
      return { refused: `the argument ${name} is bound to ${from}, which is unverified in this conversation` };
    values.push([name, found.value]);
  }
  return { values: Object.fromEntries(values) };
}

/** Returns a tool's schema in the form that a model sees, without the bound arguments. */
export function unboundSchema(schema: Record<string, unknown>, bind: Bindings | null): Record<string, unknown> {
  const bound = new Set(Object.keys(bind ?? {}));
  if (bound.size === 0) return schema;
  const { properties, required } = schema;
  const isFree = (name: unknown) => typeof name !== "string" || !bound.has(name);
  return Object.assign({}, schema, {
    properties: Object.fromEntries(Object.entries(isObject(properties) ? properties : {}).filter(([n]) => isFree(n))),
    required: Array.isArray(required) ? required.filter(isFree) : [],
  });
}

/**
 * Merges a run's given and bound arguments. Bound values become numbers if the schema requires numbers. A given
 * argument that is bound is refused, whatever its value.
 */
export function mergeBound(
  { schema, bind }: { schema: Record<string, unknown>; bind: Bindings | null },
  given: unknown,
  bound: Record<string, string>,
): { args: unknown } | { fault: string } {
  const names = Object.keys(bind ?? {});
  if (names.length === 0 || !isObject(given)) return { args: given };
  const sent = names.filter((name) => Object.hasOwn(given, name));
  if (sent.length > 0) return { fault: `${sent.join(", ")} must not be sent: Switchboard fills it in` };
  const missing = names.filter((name) => !Object.hasOwn(bound, name));
  if (missing.length > 0) return { fault: `${missing.join(", ")} is bound but has no value: send it in bound` };
  const filled = names.map((name) => [name, typed(schema, name, bound[name] ?? "")]);
  return { args: Object.assign({}, given, Object.fromEntries(filled)) as Arguments };
}

/** Returns the errors in a tool's bindings, by field. */
export function bindingFaults({ schema, bind }: { schema: Record<string, unknown>; bind: Bindings | null }) {
  const parameters = argumentNames(schema);
  return Object.keys(bind ?? {}).flatMap((name): FieldError[] => {
    if (parameters.has(name)) return [];
    const message = "is not one of the schema's properties, so it cannot be bound";
    return [{ field: `bind.${name}`, code: "unknown_argument", message }];
  });
}

/** Returns the source of a bound argument, and whether an unverified value is accepted. */
export function bindingSource(binding: Binding): { from: string; unverified: boolean } {
  return typeof binding === "string" ? { from: binding, unverified: false } : binding;
}

/** Returns the value of a source in this conversation, and whether it is more than a claim by the person. */
function sourceValue(from: string, { call, visitor, variables, isTester = false }: BindingParty) {
  switch (from) {
    case "visitor.id":
      return visitor && { value: visitor.id, isVerified: visitor.type === "user" };
    case "call.id":
      return call && { value: call.id, isVerified: true };
    case "call.from_number":
      return call && { value: call.from_number, isVerified: call.direction === "outbound" };
    case "call.to_number":
      return call && { value: call.to_number, isVerified: true };
    default: {
      const column = variableName(from.replace(/^contact\./, ""));
      const [, value] = Object.entries(variables).find(([name]) => variableName(name) === column) ?? [];
      return value === undefined ? null : { value, isVerified: !isTester };
    }
  }
}

/** Converts a text to a number if it is one and the schema requires a number. */
function typed({ properties }: Record<string, unknown>, name: string, value: string): string | number {
  const property = isObject(properties) ? properties[name] : undefined;
  const type = isObject(property) ? property.type : undefined;
  const types: unknown[] = [type].flat();
  const isNumber =
    (types.includes("integer") || types.includes("number")) &&
    !types.includes("string") &&
    /^-?\d{1,15}(\.\d{1,15})?$/.test(value);
  return isNumber ? Number(value) : value;
}
