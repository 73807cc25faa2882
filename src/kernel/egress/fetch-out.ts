import { type EgressRules, judgeAddress } from "./address.ts";
import { type OutRequest, openOut } from "./open-out.ts";
import { readText } from "./read-text.ts";

/** The response. If it is `truncated`, `text` ends at the limit, but never inside a character. */
export interface OutAnswer {
  status: number;
  content_type: string;
  text: string;
  truncated: boolean;
}

/** The limits of a request: the permitted addresses, the time including redirects, and the size of the response. */
export interface FetchLimits {
  rules: EgressRules;
  fetch: typeof fetch;
  timeout_ms: number;
  max_bytes: number;
  /** Whether redirects must also keep the scheme and port, for requests that carry a secret. */
  same_origin?: boolean;
}

/**
 * Sends a request to an address that an account configured, and reads the response. Follows redirects only to the same
 * host, so that credentials go nowhere else.
 * @throws EgressRefused if the address or a redirect is refused, or if no complete response arrives in time
 */
export async function fetchOut(request: OutRequest, limits: FetchLimits): Promise<OutAnswer> {
  const { rules, fetch, timeout_ms, max_bytes, same_origin = false } = limits;
  const response = await openOut(request, {
    judge: (address, from) => judgeAddress(address, rules, from),
    redirects: same_origin ? "same_origin" : "same_host",
    fetch,
    total_ms: timeout_ms,
    max_bytes,
  });
  const { text, failure } = await readText(response);
  if (failure !== null && failure.reason !== "too_large") throw failure;
  const content_type = response.headers.get("content-type") ?? "";
  return { status: response.status, content_type, text, truncated: failure !== null };
}
