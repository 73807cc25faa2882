import { parseJson } from "./http.ts";
import { base64, fromBase64 } from "./signature.ts";

/** State attached to a leg of a call, which its reports return. */
export const stateOf = (state: object) => base64(new TextEncoder().encode(JSON.stringify(state)));

/** The state returned by a report; undefined or null if it is not ours. */
export function stateIn(given: string | null | undefined): unknown {
  const bytes = fromBase64(given ?? "");
  return bytes && parseJson(new TextDecoder().decode(bytes));
}

/** The reason for which speech ended that Telnyx cut off when it detected a machine. */
export const CUT_OFF = "cancelled_amd";
