import { parseJson } from "./http.ts";
import { base64, fromBase64 } from "./signature.ts";

/** Encodes the state attached to a leg of a call, which its reports return. */
export const stateOf = (state: object) => base64(new TextEncoder().encode(JSON.stringify(state)));

/** Decodes the state that a report returned; undefined or null if it is not ours. */
export function stateIn(given: string | null | undefined): unknown {
  const bytes = fromBase64(given ?? "");
  return bytes && parseJson(new TextDecoder().decode(bytes));
}

/** The reason Telnyx gives for the end of speech that it cut off when it detected a machine. */
export const CUT_OFF = "cancelled_amd";
