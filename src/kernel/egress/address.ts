import { isLocalName, isPublicForm, namesLocalAddress } from "./host-name.ts";
import { isIpAddress, isSpecialIp } from "./ip-address.ts";

/** The permitted URL, or the reason for the refusal. The reason is part of a sentence and contains at most the host. */
export type AddressVerdict = { url: URL } | { refused: string };

/** The hosts that an operator permits in addition to the public internet, and those that are always refused. */
export interface EgressRules {
  /**
   * Hosts (`host` with the default port, or `host:port`) that are always permitted, also over http. Their subdomains
   * are not. If an entry has a path that ends in a slash, only addresses below that path are permitted.
   */
  allowed: readonly string[];
  /** Hosts of this service, on any port. */
  own: readonly string[];
}

/**
 * Returns the rules for requests that accounts configure: TOOL_HOSTS are permitted, and the service's own hosts are
 * refused.
 */
export function egressRules(env: Pick<Env, "TOOL_HOSTS" | "PUBLIC_URL" | "ALLOWED_HOSTS">): EgressRules {
  const own = URL.canParse(env.PUBLIC_URL) ? [new URL(env.PUBLIC_URL).hostname] : [];
  return { allowed: listOf(env.TOOL_HOSTS), own: [...own, ...listOf(env.ALLOWED_HOSTS)] };
}

/**
 * Checks an address that an account, a model or a visitor chose: it must use https on port 443 of a public name. IP
 * addresses are refused in every notation, including public ones, because no vendor is addressed by one. `from` is the
 * address of the redirect that led here. Callers must request the returned URL, because parsing the text again might
 * yield another one.
 *
 * A public name that resolves to a private address passes: the Workers runtime resolves names inside `fetch` and
 * reveals no address. On Cloudflare such a request reaches nothing, because there is no private network behind `fetch`.
 */
export function judgeAddress(address: string, rules: EgressRules, from?: URL): AddressVerdict {
  const read = readAddress(address, from);
  if ("refused" in read) return read;
  const refused = refusalOf(read.url, rules);
  return refused === null ? read : { refused };
}

/** Parses an address. Refuses invalid URLs, and URLs with credentials, which belong in a header. */
export function readAddress(address: string, from?: URL): AddressVerdict {
  if (!URL.canParse(address, from?.href)) return { refused: "the address is invalid" };
  const url = new URL(address, from?.href);
  if (url.username !== "" || url.password !== "")
    return { refused: "the address must not contain a user name or password" };
  return { url };
}

/** Returns the reason why a parsed URL must not be requested; null if it may be. */
export function refusalOf(url: URL, { allowed, own }: EgressRules): string | null {
  if (!/^https?:$/.test(url.protocol)) return `the address must use https:, not ${url.protocol.slice(0, 20)}`;
  if (allowed.some((entry) => allows(entry, url))) return null;
  if (url.protocol !== "https:") return "the address must use https:, not http:";
  if (url.port !== "") return `the port must be 443, not ${url.port}`;
  const host = bare(url.hostname);
  const named = host.slice(0, 100);
  if (own.some((entry) => nameOf(entry) === host)) return `${named} is this service itself`;
  if (isIpAddress(host)) return `${named} is an IP address, not a host name`;
  if (!isPublicForm(host) || isLocalName(host) || namesLocalAddress(host)) return `${named} is not a public host name`;
  return null;
}

/**
 * Checks whether a URL's host is recognizably on this machine or a private network: a special-purpose IP address, a
 * local-use name, or a name that is known to resolve to loopback.
 */
export function isNearby(hostname: string): boolean {
  const host = bare(hostname);
  return isIpAddress(host) ? isSpecialIp(host) : isLocalName(host);
}

function listOf(hosts: string): string[] {
  return hosts
    .split(",")
    .map((host) => host.trim())
    .filter((host) => host !== "");
}

function allows(entry: string, url: URL): boolean {
  const [, host = "", path = ""] = /^([^/]*)(.*)$/.exec(entry) ?? [];
  return hostOf(host, url.protocol) === bare(url.host) && (path === "" || url.pathname.startsWith(path));
}

/**
 * Returns a configured host in the form in which URLs with this protocol contain it, with its port unless that is the
 * default.
 */
function hostOf(entry: string, protocol: string): string | null {
  const address = `${protocol}//${entry}`;
  return URL.canParse(address) ? bare(new URL(address).host) : null;
}

function nameOf(entry: string): string | null {
  const address = `https://${entry}`;
  return URL.canParse(address) ? bare(new URL(address).hostname) : null;
}

/** Removes trailing dots, which resolvers ignore. */
function bare(host: string): string {
  return host.replace(/\.+(?=$|:\d+$)/, "");
}
