import type { AddressVerdict } from "./address.ts";

/**
 * Which redirects are followed. With `none`, a redirect is the response. `same_host` compares host and port, and permits
 * http to https. `other_hosts` is for pages that are read, and only for GET and HEAD.
 */
export type RedirectPolicy = "none" | "same_origin" | "same_host" | "other_hosts";

/** What is sent to one address. */
export interface Sent {
  url: URL;
  method: string;
  headers: Headers;
  body: string | null;
}

/** Most redirects followed. */
const MAX_REDIRECTS = 3;
/** Headers of a body, removed together with it. */
const OF_BODY = ["content-type", "content-encoding", "content-language", "content-location"];
/** The headers that another host receives; any other header may hold a credential. */
const FOR_ANYBODY = ["accept", "accept-language", "user-agent"];

/**
 * Decides about a response: null if it is to be taken as it is, what to send next if it is a redirect that may be
 * followed, or why it may not. `followed` is the number of redirects before it; `judge` decides about each address.
 */
export function nextRequest(
  sent: Sent,
  { status, location }: { status: number; location: string | null },
  followed: number,
  { redirects, judge }: { redirects: RedirectPolicy; judge: (address: string, from: URL) => AddressVerdict },
): Sent | { refused: string } | null {
  if (redirects === "none" || location === null || ![301, 302, 303, 307, 308].includes(status)) return null;
  const from = shownHost(sent.url);
  if (followed === MAX_REDIRECTS) return { refused: `${from} redirected more than ${MAX_REDIRECTS} times` };
  const verdict = judge(location, sent.url);
  if ("refused" in verdict) return { refused: `a redirect from ${from} is refused: ${verdict.refused}` };
  const { url } = verdict;
  const isElsewhere = url.host !== sent.url.host;
  if (isElsewhere && redirects !== "other_hosts")
    return { refused: `${from} redirected to another host, ${shownHost(url)}` };
  if (sent.url.protocol !== url.protocol && (redirects === "same_origin" || url.protocol === "http:"))
    return { refused: `${from} redirected from ${schemeOf(sent.url)} to ${schemeOf(url)}` };
  const next = losesBody(status, sent.method) ? withoutBody(sent, url) : { ...sent, url };
  if (!isElsewhere) return next;
  if (!["GET", "HEAD"].includes(next.method))
    return { refused: `${from} redirected a ${next.method} to another host, ${shownHost(url)}` };
  return { url, method: next.method, headers: only(next.headers, FOR_ANYBODY), body: null };
}

/** A URL's host, short enough for a message. */
export function shownHost(url: URL): string {
  return url.host.slice(0, 100);
}

/** Whether a redirect turns the request into a GET (RFC 9110, 15.4), as browsers do. */
function losesBody(status: number, method: string): boolean {
  return status === 303 || (status < 303 && method === "POST");
}

function withoutBody({ method, headers }: Sent, url: URL): Sent {
  const names = [...headers.keys()].filter((name) => !OF_BODY.includes(name));
  return { url, method: method === "HEAD" ? method : "GET", headers: only(headers, names), body: null };
}

function only(headers: Headers, names: string[]): Headers {
  return new Headers([...headers].filter(([name]) => names.includes(name)));
}

const schemeOf = ({ protocol }: URL) => protocol.replace(":", "");
