import { z } from "@hono/zod-openapi";
import { Metadata, type MetadataJson } from "libphonenumber-js/min";

/** No account needs more: there are some 210 calling codes. */
const MAX_CODES = 250;

/** The library's data, which its types leave out: the countries of each code, and the codes of no country. */
type CallingCodes = Pick<MetadataJson, "country_calling_codes"> & { nonGeographic?: Record<string, unknown> };
let cachedCodes: ReadonlySet<string> | null = null;

/** All calling codes there are, such as `+49`. */
function callingCodes(): ReadonlySet<string> {
  if (cachedCodes === null) {
    const { metadata } = new Metadata() as unknown as { metadata: CallingCodes };
    const codes = [metadata.country_calling_codes, metadata.nonGeographic ?? {}].flatMap((some) => Object.keys(some));
    cachedCodes = new Set(codes.map((code) => `+${code}`));
  }
  return cachedCodes;
}

/** The calling codes that an account may dial. */
export const allowedDestinations = z
  .array(z.string().refine((code) => callingCodes().has(code), "must be a calling code such as +49"))
  .max(MAX_CODES)
  .refine((codes) => new Set(codes).size === codes.length, "must not name anything twice");

/** Whether the number (E.164) may be dialled; null allows every destination. No calling code begins with another. */
export function isAllowedDestination(codes: readonly string[] | null, number: string): boolean {
  return codes === null || codes.some((code) => number.startsWith(code));
}
