import { type EgressRules, judgeAddress } from "./address.ts";
import { USER_AGENT } from "./fetch-out.ts";

/** What is sent. */
export interface OutMessage {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** The answer; `text` is the beginning of its body. */
export interface Receipt {
  status: number;
  retry_after: string | null;
  text: string;
}

/** The limits of sending: permitted addresses, time until the answer, and how much of its body is read. */
export interface SendLimits {
  rules: EgressRules;
  fetch: typeof fetch;
  timeout_ms: number;
  max_bytes: number;
}

/** Nothing was answered; the message is a sentence without secrets. */
export class NotSent extends Error {
  override readonly name = "NotSent";
}

/** How long the beginning of a body may take after the status, ms. */
const BODY_MS = 2_000;

/**
 * Sends a message to an address that an account configured, and takes the answer as it is: redirects are not followed, and
 * of the body only the beginning is read, whatever follows. Nothing is cached, and no cookie is sent or kept.
 * @throws NotSent where the address is refused or nothing is answered in time
 */
export async function sendOut({ url: to, headers, body }: OutMessage, limits: SendLimits): Promise<Receipt> {
  const verdict = judgeAddress(to, limits.rules);
  if ("refused" in verdict) throw new NotSent(`the address is refused: ${verdict.refused}`);
  const { url } = verdict;
  const name = url.host.slice(0, 100);
  const stop = new AbortController();
  // Called as a method, fetch would get the limits as `this`, which the runtime refuses.
  const { fetch } = limits;
  const pending = fetch(url, {
    method: "POST",
    headers: { ...headers, "user-agent": USER_AGENT },
    body,
    signal: stop.signal,
    redirect: "manual",
    cache: "no-store",
  });
  const late = `no answer arrived within ${limits.timeout_ms / 1000} s`;
  try {
    const response = await within(limits.timeout_ms, pending, () => new NotSent(late));
    const text = await beginning(response, limits.max_bytes);
    return { status: response.status, retry_after: response.headers.get("retry-after"), text };
  } catch (error) {
    throw error instanceof NotSent ? error : new NotSent(`${name} could not be reached`);
  } finally {
    // Also called for an answer that comes too late.
    stop.abort();
    pending.then(({ body: rest }) => rest?.cancel()).catch(() => undefined);
  }
}

/** The beginning of the body as text: as much as comes in its time. A body that breaks off does not take the answer back. */
async function beginning(response: Response, maxBytes: number): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return "";
  const decoder = new TextDecoder();
  let text = "";
  let remaining = maxBytes;
  const read = async () => {
    while (remaining > 0) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value.subarray(0, remaining), { stream: true });
      remaining -= value.length;
    }
  };
  try {
    await within(BODY_MS, read(), () => new NotSent("the body takes too long"));
  } catch {
    // What there is counts.
  } finally {
    remaining = 0;
    reader.cancel().catch(() => undefined);
  }
  return text;
}

async function within<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
