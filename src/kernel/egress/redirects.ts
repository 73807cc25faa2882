import type { AddressVerdict } from "./address.ts";

/**
 * Which redirects are followed. With `none`, the redirect itself is the response. `same_host` compares host and port,
 * and permits a change from http to https. `other_hosts` is for reading pages, with GET and HEAD only.
 */
export type RedirectPolicy = "none" | "same_origin" | "same_host" | "other_hosts";

/** A request to one address. */
export interface Sent {
  url: URL;
  method: string;
  headers: Headers;
  body: string | null;
}

const MAX_REDIRECTS = 3;
/** Headers that describe a body. They are removed together with it. */
const OF_BODY = ["content-type", "content-encoding", "content-language", "content-location"];
/** The only headers that are sent to another host. Any other may contain a credential. */
const FOR_ANYBODY = ["accept", "accept-language", "user-agent"];

/**
 * Decides what to do with a response: returns null to accept it, the next request to follow a redirect, or the reason
 * why the redirect is refused. `followed` counts the redirects so far, and `judge` checks each address.
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

/** Returns a URL's host, shortened for a message. */
export function shownHost(url: URL): string {
  return url.host.slice(0, 100);
}

/** Checks whether a redirect turns the request into a GET (RFC 9110, 15.4), as browsers do. */
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
