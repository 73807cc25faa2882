type ParsedJson = { ok: true; value: unknown } | { ok: false; fault: string };

/** Parses JSON. An empty text is undefined. */
export function parseJson(text: string): ParsedJson {
  if (text.trim() === "") return { ok: true, value: undefined };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, fault: error instanceof Error ? error.message : String(error) };
  }
}

export function objectIn(text: string): Record<string, unknown> | undefined {
  const parsed = parseJson(text);
  return parsed.ok && isObject(parsed.value) ? parsed.value : undefined;
}

/** Checks whether a value is an object and not a list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Formats a value as indented JSON; empty for undefined. */
export const formatJson = (value: unknown): string => JSON.stringify(value, null, 2) ?? "";
