/** Thrown if an allowlist entry is not allowed. The message says what to write instead. */
export class InvalidOrigin extends Error {}

/** `scheme://host` or `scheme://host:port`, where the host is a name, an IPv4 or a bracketed IPv6 address. */
const ORIGIN = /^(https?):\/\/([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/;
/** A dot that follows an empty label. Browsers never send such an origin. */
const EMPTY_LABEL = /(?<=\.|:\/\/)\./g;
const DEFAULT_PORT = { http: "80", https: "443" } as const;

/**
 * Returns a request's Origin in canonical form: in lower case and without a default port. Returns null for `null` and
 * for anything that is not a web origin.
 */
export function canonicalOrigin(origin: string): string | null {
  const [, scheme, host, port] = ORIGIN.exec(origin.toLowerCase()) ?? [];
  if (!scheme || !host) return null;
  const keepsPort = port !== undefined && port !== DEFAULT_PORT[scheme as "http" | "https"];
  return `${scheme}://${host}${keepsPort ? `:${port}` : ""}`;
}

/**
 * Checks whether a canonical origin is on the list. `https://*.shop.example` means every subdomain, but not the domain
 * itself.
 */
export function admits(allowlist: readonly string[], origin: string): boolean {
  return allowlist.some((entry) => {
    const [scheme, domain] = entry.split("://*");
    if (domain === undefined) return entry === origin;
    const head = `${scheme}://`;
    return origin.startsWith(head) && origin.endsWith(domain) && origin.length > head.length + domain.length;
  });
}

/**
 * Returns an allowlist entry in canonical form: an origin, or an origin whose host begins with `*.` below a registrable
 * domain. `isPublicSuffix` tells whether anyone may register a domain below a name (`com`, `co.uk`, `github.io`).
 * @throws InvalidOrigin
 */
export function allowlistEntry(text: string, isPublicSuffix: (host: string) => boolean): string {
  const entry = text.trim();
  const wildcard = /^https?:\/\/\*\./i.test(entry);
  const url = parseUrl(wildcard ? entry.replace("*.", "") : entry);
  if (!url) throw refusal(entry, suggestion(entry));
  const origin = canonicalOrigin(url.origin);
  const named = canonicalOrigin(url.origin.replaceAll(EMPTY_LABEL, ""));
  if (!origin || !named) throw refusal(entry, "https://shop.example");
  const canonical = wildcard ? named.replace("://", "://*.") : named;
  const isBare = !/[/?#@\\]/.test(entry.slice(entry.indexOf("://") + 3));
  if (!isBare || named !== origin) throw refusal(entry, canonical);
  if (wildcard && (isAddress(url.hostname) || isPublicSuffix(url.hostname))) {
    throw new InvalidOrigin(
      `"${entry}" is too broad; use a wildcard below a domain of your own: https://*.shop.example`,
    );
  }
  return canonical;
}

function parseUrl(text: string): URL | null {
  return /^https?:\/\//i.test(text) && !text.includes("*") && URL.canParse(text) ? new URL(text) : null;
}

/** Returns the origin that is most likely meant by `shop.example`, `//shop.example/cart` or `ftp://shop.example`. */
function suggestion(entry: string): string {
  const guess = `https://${entry.replace(/^([a-z][a-z0-9+.-]*:)?\/\//i, "")}`;
  return (
    (entry !== "" && !guess.includes("*") && URL.canParse(guess) && canonicalOrigin(new URL(guess).origin)) ||
    "https://shop.example"
  );
}

function refusal(entry: string, instead: string): InvalidOrigin {
  return new InvalidOrigin(`"${entry.slice(0, 200)}" is not an origin; use ${instead}`);
}

/** Checks whether a host is an IPv4 address (as written by the URL parser) or an IPv6 address. */
function isAddress(host: string): boolean {
  return host.startsWith("[") || /^\d+(\.\d+){3}$/.test(host);
}
