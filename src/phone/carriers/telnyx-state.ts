import { parseJson } from "./http.ts";
import { base64, fromBase64 } from "./signature.ts";

/** What is given to a leg of a call, for its reports to bring back. */
export const stateOf = (state: object) => base64(new TextEncoder().encode(JSON.stringify(state)));

/** What a report brings back, undefined or null where that is no such thing. */
export function stateIn(given: string | null | undefined): unknown {
  const bytes = fromBase64(given ?? "");
  return bytes && parseJson(new TextDecoder().decode(bytes));
}
