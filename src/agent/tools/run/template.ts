/** A part of a template: plain text, an argument, or a param or secret of an integration. */
export type Part =
  | { kind: "text"; text: string }
  | { kind: "argument"; name: string }
  | { kind: "reference"; integration: string; field: string };

/** Matches `{{integration.param_or_secret}}`, `{{anything else}}` (a mistake), or `{argument}`. */
const TOKEN = /\{\{([^{}]*)\}\}|\{([A-Za-z_][\w-]*)\}/g;
const REFERENCE = /^\s*([a-z]\w*)\.(\w+)\s*$/;

/** Splits a template into parts. Values that are filled in are never parsed again. */
export function parseTemplate(template: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const { 0: token, 1: braces, 2: argument, index } of template.matchAll(TOKEN)) {
    if (index > end) parts.push({ kind: "text", text: template.slice(end, index) });
    end = index + token.length;
    const [, integration, field] = REFERENCE.exec(braces ?? "") ?? [];
    if (argument !== undefined) parts.push({ kind: "argument", name: argument });
    else if (integration !== undefined && field !== undefined) parts.push({ kind: "reference", integration, field });
    else parts.push({ kind: "text", text: token });
  }
  if (end < template.length) parts.push({ kind: "text", text: template.slice(end) });
  return parts;
}

/** Returns the tokens in double braces that name no integration's param or secret, such as `{{name}}`. */
export function strayTokens(template: string): string[] {
  return [...template.matchAll(TOKEN)]
    .filter(([, braces]) => braces !== undefined && !REFERENCE.test(braces))
    .map(([token]) => token);
}

/** Returns the text from the first unclosed `{{`; undefined if there is none. */
export function openBraces(template: string): string | undefined {
  const [, ...begun] = template.replace(TOKEN, "").split("{{");
  const open = begun.find((inside) => !inside.includes("}}"));
  return open === undefined ? undefined : `{{${open}`;
}

/** Returns all texts within a value, including names of fields. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return [...Object.keys(value), ...Object.values(value).flatMap(textsIn)];
}

/** Returns the field names that contain templates, which are errors because only values are filled in. */
export function templatedNames(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const below = Object.values(value).flatMap(templatedNames);
  const names = Object.keys(value).filter((name) => parseTemplate(name).some(({ kind }) => kind !== "text"));
  return [...names, ...below];
}
