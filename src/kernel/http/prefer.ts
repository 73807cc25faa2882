/** Matches a `handling` preference and its value, which may be quoted (RFC 7240, 2). */
const HANDLING = /^handling\s*=\s*(?:"(?<quoted>[^"]*)"|(?<token>[^\s;"]+))\s*(?:;|$)/i;

/** The response header's value for a preference that was applied (RFC 7240, 3). */
export const STRICT_APPLIED = "handling=strict";

/**
 * Checks whether a Prefer header asks for strict handling, which makes unknown fields an error. Only the first
 * `handling` counts.
 */
export function prefersStrict(prefer: string | undefined): boolean {
  if (prefer === undefined) return false;
  for (const preference of prefer.split(",")) {
    const { quoted, token } = HANDLING.exec(preference.trim())?.groups ?? {};
    const handling = quoted ?? token;
    if (handling !== undefined) return handling.toLowerCase() === "strict";
  }
  return false;
}
