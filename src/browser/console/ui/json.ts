/** The JSON value of a text, or that it is invalid. */
type ParsedJson = { ok: true; value: unknown } | { ok: false; fault: string };

/** Reads JSON; an empty text is undefined. */
export function parseJson(text: string): ParsedJson {
  if (text.trim() === "") return { ok: true, value: undefined };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, fault: error instanceof Error ? error.message : String(error) };
  }
}

/** The object that a text says as JSON; undefined if it says something else. */
export function objectIn(text: string): Record<string, unknown> | undefined {
  const parsed = parseJson(text);
  return parsed.ok && isObject(parsed.value) ? parsed.value : undefined;
}

/** Whether it has fields: a list has none. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** JSON as people read it; nothing for undefined. */
export const formatJson = (value: unknown): string => JSON.stringify(value, null, 2) ?? "";
