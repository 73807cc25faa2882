import { type EgressRules, judgeAddress } from "./address.ts";
import { type OutRequest, openOut } from "./open-out.ts";
import { readText } from "./read-text.ts";

/** The response. `text` is the beginning of its body. */
export interface Receipt {
  status: number;
  retry_after: string | null;
  text: string;
}

/** The limits of sending: the permitted addresses, the time until the response, and how much of its body is read. */
export interface SendLimits {
  rules: EgressRules;
  fetch: typeof fetch;
  timeout_ms: number;
  max_bytes: number;
}

/** How long the beginning of a body may take after the status has arrived, ms. */
const BODY_MS = 2_000;

/**
 * Posts a message to an address that an account configured. Redirects are not followed. Only the beginning of the
 * response's body is read, and the response counts even if the rest of its body never arrives.
 * @throws EgressRefused if the address is refused or no response arrives in time
 */
export async function sendOut(message: Omit<OutRequest, "method">, limits: SendLimits): Promise<Receipt> {
  const { rules, fetch, timeout_ms, max_bytes } = limits;
  const response = await openOut(
    { method: "POST", url: message.url, headers: message.headers, body: message.body },
    {
      judge: (address) => judgeAddress(address, rules),
      redirects: "none",
      fetch,
      head_ms: timeout_ms,
      total_ms: timeout_ms + BODY_MS,
      idle_ms: BODY_MS,
      max_bytes,
    },
  );
  const { text } = await readText(response);
  return { status: response.status, retry_after: response.headers.get("retry-after"), text };
}
