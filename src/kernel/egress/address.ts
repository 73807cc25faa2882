import { isLocalName, isPublicForm, namesLocalAddress } from "./host-name.ts";
import { isIpAddress, isSpecialIp } from "./ip-address.ts";

/** The permitted address, or the reason of the refusal: part of a sentence that shows only the host. */
export type AddressVerdict = { url: URL } | { refused: string };

/** The hosts that an operator permits besides the public internet, and those that are always refused. */
export interface EgressRules {
  /**
   * Hosts (`host` at the usual port, or `host:port`) that are always allowed, by http too; a name does not allow its
   * subdomains. With a path that ends in a slash, only what lies below that path is allowed.
   */
  allowed: readonly string[];
  /** Hosts of this service, at any port. */
  own: readonly string[];
}

/** The rules for what accounts have this service ask: TOOL_HOSTS is allowed, the service's own hosts are not. */
export function egressRules(env: Pick<Env, "TOOL_HOSTS" | "PUBLIC_URL" | "ALLOWED_HOSTS">): EgressRules {
  const own = URL.canParse(env.PUBLIC_URL) ? [new URL(env.PUBLIC_URL).hostname] : [];
  return { allowed: listOf(env.TOOL_HOSTS), own: [...own, ...listOf(env.ALLOWED_HOSTS)] };
}

/**
 * Whether an address that an account, a model or a stranger named may be asked: https at port 443 of a public name. IP
 * addresses are refused in every notation, public ones too: no vendor is found by one. `from` is where a redirect that
 * named it came from. What is given back is the very URL that was judged: nobody reads the text a second time.
 *
 * A name says nothing about where DNS leads it. The Workers runtime resolves names itself, inside of `fetch`, and shows
 * the address to nobody, so that a public name that leads to a private address passes here. On Cloudflare such a request
 * leads nowhere: there is no private network behind `fetch`.
 */
export function judgeAddress(address: string, rules: EgressRules, from?: URL): AddressVerdict {
  const read = readAddress(address, from);
  if ("refused" in read) return read;
  const refused = refusalOf(read.url, rules);
  return refused === null ? read : { refused };
}

/** Parses the address; refused if it is not a URL or contains credentials, which belong in a header. */
export function readAddress(address: string, from?: URL): AddressVerdict {
  if (!URL.canParse(address, from?.href)) return { refused: "the address is invalid" };
  const url = new URL(address, from?.href);
  if (url.username !== "" || url.password !== "")
    return { refused: "the address must not contain a user name or password" };
  return { url };
}

/** Why a parsed URL may not be requested; null if it may. */
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
 * Whether a host, as written in a URL, is visibly on this machine or a private network: a special-purpose IP address, a
 * local-use name, or a name known to resolve to loopback.
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

/** A configured host as a URL of this protocol shows it, with its port unless it is the default. */
function hostOf(entry: string, protocol: string): string | null {
  const address = `${protocol}//${entry}`;
  return URL.canParse(address) ? bare(new URL(address).host) : null;
}

function nameOf(entry: string): string | null {
  const address = `https://${entry}`;
  return URL.canParse(address) ? bare(new URL(address).hostname) : null;
}

/** A host without trailing dots, which resolvers ignore. */
function bare(host: string): string {
  return host.replace(/\.+(?=$|:\d+$)/, "");
}
