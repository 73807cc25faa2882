import { isObject } from "../../../kernel/objects.ts";
import { keywordKind, resolve } from "./json-schema.ts";
import { withNull } from "./nullable.ts";

type Node = Record<string, unknown>;

/** Keywords that only identify a part of the schema or its dialect. */
const IDENTIFIERS = ["$ref", "$defs", "definitions", "$schema", "$id", "$anchor", "$comment"];
/** Keywords that model providers refuse at the top level of arguments. */
const REFUSED_AT_TOP = ["allOf", "anyOf", "oneOf", "not", "enum", "const", "if", "then", "else", "dependentSchemas"];

/**
 * Returns a tool's schema in a form that every model provider accepts. One refused schema would fail every request of
 * the agent, with all its other tools: OpenAI and Anthropic accept no alternatives at the top level, OpenAI accepts no
 * list without `items`, and neither reliably follows references. Alternatives at the top level become optional
 * arguments with a sentence that says which belong together. The tool's own schema still decides which arguments are
 * accepted. @throws BadSchema like compileSchema
 */
export function modelSchema(schema: Node): Node {
  const { properties, required, needs, ...top } = flat(inlined(schema, schema));
  const description = [top.description, ...needs].filter((text) => typeof text === "string" && text !== "").join(" ");
  const shown: Node = Object.assign({}, top, { type: "object", properties });
  if (description !== "") shown.description = description;
  if (required.length > 0) shown.required = required;
  return shown;
}

/** Replaces references by their targets, adds `items` to every list, and converts OpenAPI's `nullable`. */
function inlined(root: Node, schema: Node): Node {
  const one = (value: unknown): unknown => {
    if (value === true) return {};
    if (value === false) return { not: {} };
    return isObject(value) ? inlined(root, withNull(value)) : value;
  };
  const node: Node = {};
  for (const [name, value] of Object.entries(schema)) {
    const kind = keywordKind(name);
    // `withNull` has already converted `nullable`.
    if (IDENTIFIERS.includes(name) || name === "nullable") continue;
    if (kind === "schema" && typeof value === "boolean" && name !== "items") node[name] = value;
    else if (kind === "schema") node[name] = one(value);
    else if (kind === "schemas" && Array.isArray(value)) node[name] = value.map(one);
    else if (kind === "schemaMap" && isObject(value)) node[name] = mapValues(value, one);
    else node[name] = value;
  }
  if ([node.type].flat().includes("array")) node.items ??= {};
  if (typeof schema.$ref !== "string") return node;
  const target = one(resolve(root, schema.$ref, "$ref"));
  return isObject(target) ? conjunction(target, node) : node;
}

/**
 * Combines a reference's target with the keywords next to the reference. Annotations replace the target's; other
 * keywords apply in addition.
 */
function conjunction(target: Node, beside: Node): Node {
  const isNotes = Object.keys(beside).every((name) => keywordKind(name) === undefined);
  if (isNotes) return Object.assign({}, target, beside);
  return Object.assign({}, beside, { allOf: [...(Array.isArray(beside.allOf) ? beside.allOf : []), target] });
}

type Flat = Node & { properties: Node; required: string[]; needs: string[] };

/**
 * Returns an object's schema without alternatives: it has the arguments of all of them, and `needs` has the sentences
 * about them.
 */
function flat(node: Node): Flat {
  const own = isObject(node.properties) ? node.properties : {};
  const required = new Set(textsOf(node.required));
  const needs: string[] = [];
  const found = new Map<string, unknown[]>();
  const take = (part: Flat) => {
    for (const [name, value] of Object.entries(part.properties)) found.set(name, [...(found.get(name) ?? []), value]);
    needs.push(...part.needs);
  };
  const partsOf = (name: string) => [node[name]].flat().filter(isObject).map(flat);
  for (const part of partsOf("allOf")) {
    take(part);
    for (const name of part.required) required.add(name);
  }
  for (const name of ["anyOf", "oneOf"]) {
    const parts = partsOf(name);
    parts.forEach(take);
    const [first, ...others] = parts.map((part) => part.required);
    const shared = (first ?? []).filter((one) => others.every((other) => other.includes(one)));
    for (const one of shared) required.add(one);
    const groups = parts.map((part) => part.required.filter((one) => !required.has(one)));
    if (groups.length > 1 && groups.every((group) => group.length > 0)) needs.push(sentence(groups));
  }
  for (const name of ["then", "else"]) partsOf(name).forEach(take);
  if (isObject(node.dependentSchemas)) Object.values(node.dependentSchemas).filter(isObject).map(flat).forEach(take);
  const properties = Object.assign(mapValues(Object.fromEntries(found), alternatives), own);
  const rest = Object.entries(node).filter(([name]) => !REFUSED_AT_TOP.includes(name));
  const isClosed = found.size > 0 ? ["additionalProperties", "unevaluatedProperties"] : [];
  const top = Object.fromEntries(rest.filter(([name]) => !isClosed.includes(name)));
  return Object.assign(top, { properties, required: [...required], needs });
}

/** Returns one schema for an argument that occurs in several alternatives. */
function alternatives(found: unknown): unknown {
  const all = [found].flat();
  const texts = all.map((one) => JSON.stringify(one));
  const distinct = all.filter((_, n) => texts.indexOf(texts[n] ?? "") === n);
  return distinct.length === 1 ? distinct[0] : { anyOf: distinct };
}

function sentence(groups: string[][]): string {
  const texts = new Set(groups.map((group) => group.join(" and ")));
  return `Also required: ${[...texts].join(", or ")}.`;
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

function mapValues(map: Node, change: (value: unknown) => unknown): Node {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value)]));
}
