import { type EgressRules, judgeAddress } from "../../../kernel/egress/address.ts";
import { EgressRefused, type OutResponse, openOut } from "../../../kernel/egress/open-out.ts";
import { SECOND_MS } from "../../../kernel/time.ts";

const HEAD_MS = 10 * SECOND_MS;
const TOTAL_MS = 20 * SECOND_MS;
const MAX_REDIRECTS = 3;
const MAX_TAG_CHARS = 500;

/** The headers by which a site can answer that a page has not changed. */
export interface Validators {
  etag: string | null;
  modified: string | null;
}

/** The result of fetching a page once. `failed` is the reason; `again` tells whether another try may succeed. */
export type Fetched =
  | ({ bytes: Uint8Array; content_type: string; charset: string | undefined; url: URL } & Validators)
  | { unchanged: true }
  | { elsewhere: string }
  | { failed: string; again: boolean };

export interface Fetcher {
  rules: EgressRules;
  fetch: typeof fetch;
}

export interface Wanted extends Validators {
  url: string;
  /** The origin that redirects may not leave. */
  origin: string;
  /** Checks the target of a redirect. */
  allows(url: URL): boolean;
  max_bytes: number;
}

/** Fetches a page and follows redirects within its origin; a redirect to another origin is returned as `elsewhere`. */
export async function fetchPage({ rules, fetch }: Fetcher, wanted: Wanted): Promise<Fetched> {
  const { etag, modified, origin, max_bytes } = wanted;
  const headers: Record<string, string> = {
    accept: "text/html, text/plain, text/markdown, application/pdf;q=0.5, */*;q=0.1",
  };
  if (etag !== null) headers["if-none-match"] = etag;
  if (modified !== null) headers["if-modified-since"] = modified;
  let url = wanted.url;
  try {
    for (let followed = 0; ; followed++) {
      const response = await openOut(
        { method: "GET", url, headers, body: null },
        {
          judge: (address) => judgeAddress(address, rules),
          redirects: "none",
          fetch,
          head_ms: HEAD_MS,
          total_ms: TOTAL_MS,
          max_bytes,
        },
      );
      const location = response.headers.get("location");
      if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return await read(response);
      await response.body?.cancel();
      const to = judgeAddress(location, rules, response.url);
      if ("refused" in to) return { failed: "redirect_refused", again: false };
      if (to.url.origin !== origin) return { elsewhere: to.url.href };
      if (!wanted.allows(to.url)) return { failed: "robots_forbid", again: false };
      if (followed === MAX_REDIRECTS) return { failed: "too_many_redirects", again: false };
      url = to.url.href;
    }
  } catch (error) {
    if (error instanceof EgressRefused) return failureOf(error);
    throw error;
  }
}

async function read({ status, headers, body, url }: OutResponse): Promise<Fetched> {
  if (status !== 200) {
    await body?.cancel();
    if (status === 304) return { unchanged: true };
    return { failed: `http_${status}`, again: status === 429 || status >= 500 };
  }
  const [, content_type = "", charset] =
    /^\s*([\w.+-]+\/[\w.+-]+)(?:.*?;\s*charset\s*=\s*["']?([\w.:-]{1,40}))?/i.exec(headers.get("content-type") ?? "") ??
    [];
  const bytes = body === null ? new Uint8Array() : new Uint8Array(await new Response(body).arrayBuffer());
  return {
    bytes,
    content_type: content_type.toLowerCase(),
    charset,
    url,
    etag: short(headers.get("etag")),
    modified: short(headers.get("last-modified")),
  };
}

const short = (value: string | null) => (value !== null && value.length <= MAX_TAG_CHARS ? value : null);

function failureOf({ reason }: EgressRefused): Fetched {
  switch (reason) {
    case "refused_address":
    case "refused_redirect":
    case "refused_header":
      return { failed: "address_refused", again: false };
    case "too_large":
      return { failed: "page_too_large", again: false };
    case "timeout":
      return { failed: "page_timed_out", again: true };
    default:
      return { failed: "unreachable", again: true };
  }
}
