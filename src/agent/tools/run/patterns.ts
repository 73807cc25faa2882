import { RE2JS } from "re2js";

/** Most characters of a pattern, and of a text that is held against one. */
const MAX_PATTERN_CHARS = 500;
const MAX_TEXT_CHARS = 4_000;

/** A check of a text, as the validator calls it. */
export interface Format {
  name: string;
  pattern: string;
  test(text: string): boolean;
}

/**
 * A schema's `pattern` as a check whose time grows with the text's length alone (RE2): with the runtime's own regular
 * expressions a few characters could keep it busy for hours. What RE2 cannot do is refused.
 */
export function patternFormat(pattern: string): Format | { refused: string } {
  if (pattern.length > MAX_PATTERN_CHARS) return { refused: `must not be longer than ${MAX_PATTERN_CHARS} characters` };
  try {
    const compiled = RE2JS.compile(inRe2(pattern));
    return {
      name: `pattern ${pattern}`,
      pattern,
      test: (text) => text.length <= MAX_TEXT_CHARS && compiled.matcher(text).find(),
    };
  } catch {
    return { refused: "is not a supported regular expression (look-around and back references are not)" };
  }
}

/** JavaScript writes a character by its number in another way. */
function inRe2(pattern: string): string {
  return pattern.replace(/\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|.)/gs, (all, long, short) =>
    long || short ? `\\x{${long ?? short}}` : all,
  );
}
