import { z } from "@hono/zod-openapi";
import { callingCodes } from "../../kernel/numbers/calling-codes.ts";

/** More than any account needs, because there are about 210 calling codes. */
const MAX_CODES = 250;

let cachedCodes: ReadonlySet<string> | null = null;

/** Returns all calling codes, such as `+49`. */
function everyCode(): ReadonlySet<string> {
  cachedCodes ??= new Set(callingCodes().map((code) => `+${code}`));
  return cachedCodes;
}

export const allowedDestinations = z
  .array(z.string().refine((code) => everyCode().has(code), "must be a calling code such as +49"))
  .max(MAX_CODES)
  .refine((codes) => new Set(codes).size === codes.length, "must not contain a value twice");

/**
 * Checks whether the number (E.164) may be dialed; null allows every destination. No calling code begins with another.
 */
export function isAllowedDestination(codes: readonly string[] | null, number: string): boolean {
  return codes === null || codes.some((code) => number.startsWith(code));
}
