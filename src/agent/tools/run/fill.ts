import { readBaseUrl } from "../../integrations/hosts.ts";
import type { Arguments } from "./arguments.ts";
import { type Part, parseTemplate } from "./template.ts";

/**
 * Thrown if a value is not allowed at its position in a template. The message names the value but never contains it.
 */
export class FillRefused extends Error {}

/** The values that are filled into templates. */
export interface Values {
  args: Arguments;
  /** Returns a stored param or secret. */
  stored(integration: string, field: string): unknown;
}

/** The number of decodings that are checked: one more than any receiver is expected to make. */
const MAX_DECODINGS = 6;

function textOf(part: Part, { args, stored }: Values): string | undefined {
  if (part.kind === "text") return part.text;
  const value =
    part.kind === "reference"
      ? stored(part.integration, part.field)
      : Object.hasOwn(args, part.name)
        ? args[part.name]
        : undefined;
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

const nameOf = (part: Part) =>
  part.kind === "reference" ? `${part.integration}.${part.field}` : part.kind === "argument" ? part.name : "";

/** Joins the parts, each escaped for its position; undefined if one of them is an argument that was not given. */
function join(parts: Part[], values: Values, written: (text: string, part: Part) => string): string | undefined {
  const texts = parts.map((part) => ({ part, text: textOf(part, values) }));
  if (texts.some(({ text }) => text === undefined)) return undefined;
  return texts.map(({ part, text = "" }) => written(text, part)).join("");
}

/** Fills a text's templates; undefined if one of its arguments was not given. */
export function fillText(template: string, values: Values): string | undefined {
  return join(parseTemplate(template), values, (text) => text);
}

/** Percent-encodes a value, so that it cannot contain a separator of an address. */
function encode(text: string, part: Part): string {
  try {
    return encodeURIComponent(text);
  } catch {
    throw new FillRefused(`${nameOf(part)} is not well-formed text`);
  }
}

/** Fills the host. Only integrations' params may be part of it. @throws FillRefused */
export function fillHost(template: string, values: Values): string {
  const host = join(parseTemplate(template), values, (text, part) => {
    if (part.kind === "text") return text;
    if (part.kind === "reference" && /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/i.test(text) && !text.includes(".."))
      return text;
    throw new FillRefused(`${nameOf(part)} must be a host name such as shop.example.com`);
  });
  if (host === undefined) throw new FillRefused("the host is unknown");
  return host;
}

/**
 * Returns the base of the account's own service: its origin, and its path without the final slash. @throws FillRefused
 */
export function fillBase(template: string, values: Values): { origin: string; path: string } {
  const url = readBaseUrl(fillText(template, values) ?? "");
  if (!url) throw new FillRefused("the base_url must be an address such as https://api.example.com/v1");
  return { origin: url.origin, path: url.pathname.replace(/\/$/, "") };
}

/** Fills the path. Values cannot change the number or position of its segments. @throws FillRefused */
export function fillPath(template: string, values: Values): string {
  return template
    .split("/")
    .map((segment) => {
      const parts = parseTemplate(segment);
      if (parts.every(({ kind }) => kind === "text")) return segment;
      const names = parts.flatMap((part) => nameOf(part) || []).join(" and ");
      const filled = join(parts, values, (text, part) => (part.kind === "text" ? text : encode(text, part)));
      if (filled === undefined || filled === "")
        throw new FillRefused(`${names} must not be empty: it is part of the address`);
      if (movesElsewhere(filled))
        throw new FillRefused(`${names} must not contain dot segments, backslashes or control characters`);
      return filled;
    })
    .join("/");
}

/** Checks whether a receiver would resolve a segment to another path, however often it decodes it. */
function movesElsewhere(segment: string): boolean {
  let text = segment;
  for (let i = 0; i < MAX_DECODINGS; i++) {
    if (/[\p{Cc}\\]/u.test(text) || text.split("/").some((piece) => piece === "." || piece === "..")) return true;
    // Decoded byte by byte, because text that is not valid UTF-8 may still contain a dot.
    const decoded = text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (decoded === text) return false;
    text = decoded;
  }
  return true;
}

/** Fills the query, without parameters whose argument was not given. @throws FillRefused */
export function fillQuery(template: string, values: Values): string[] {
  if (template === "") return [];
  return template.split("&").flatMap((pair) => {
    const filled = join(parseTemplate(pair), values, (text, part) =>
      part.kind === "text" ? text : encode(text, part),
    );
    return filled ?? [];
  });
}

/**
 * Fills the values of named fields. A field whose whole value is a list is repeated for each item. @throws FillRefused
 */
export function fillPairs(fields: Record<string, string | number | boolean>, values: Values): [string, string][] {
  return Object.entries(fields).flatMap(([name, template]): [string, string][] => {
    if (typeof template !== "string") return [[name, String(template)]];
    const whole = wholeValue(template, values);
    if (Array.isArray(whole)) {
      return whole.map((value) => [name, typeof value === "string" ? value : JSON.stringify(value)]);
    }
    const text = fillText(template, values);
    return text === undefined ? [] : [[name, text]];
  });
}

/** Fills a header's value; undefined if one of its arguments was not given. @throws FillRefused */
export function fillHeader(name: string, template: string, values: Values): string | undefined {
  const filled = join(parseTemplate(template), values, (text, part) => {
    // Other characters would end the header, or runtimes would send them differently.
    if (!/^[\t\x20-\x7e]*$/.test(text))
      throw new FillRefused(`${nameOf(part) || name} has characters that a header cannot carry`);
    return text;
  });
  return filled?.trim();
}

/** Fills the values of JSON. A text that is a single template keeps the value's type. @throws FillRefused */
export function fillJson(template: unknown, values: Values): unknown {
  if (typeof template === "string") {
    const whole = wholeValue(template, values);
    return whole === NOT_WHOLE ? fillText(template, values) : whole;
  }
  if (Array.isArray(template)) {
    return template.map((item) => fillJson(item, values)).filter((item) => item !== undefined);
  }
  if (typeof template !== "object" || template === null) return template;
  const filled = Object.entries(template).map(([name, value]) => [name, fillJson(value, values)] as const);
  return Object.fromEntries(filled.filter(([, value]) => value !== undefined));
}

const NOT_WHOLE = Symbol("not one template alone");

/** Returns the value of a text that consists of a single template; undefined if it was not given. */
function wholeValue(template: string, { args, stored }: Values): unknown {
  const [part, ...more] = parseTemplate(template);
  if (part === undefined || part.kind === "text" || more.length > 0) return NOT_WHOLE;
  if (part.kind === "reference") return stored(part.integration, part.field);
  return Object.hasOwn(args, part.name) ? args[part.name] : undefined;
}
