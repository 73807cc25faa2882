import { isSpecialIp } from "./ip-address.ts";

/**
 * The last labels of names that don't exist in the public DNS: RFC 6761, 6762, 7686, 8375, 9476, and common names of
 * home networks.
 */
const LOCAL_ENDS = new Set([
  "localhost",
  "localdomain",
  "local",
  "internal",
  "intranet",
  "private",
  "corp",
  "home",
  "lan",
  "svc",
  "cluster",
  "docker",
  "consul",
  "arpa",
  "onion",
  "alt",
]);

/** Public names that, with all their subdomains, resolve to this machine or to an address in the name. */
const LEADING_HOME = new Set([
  "nip.io",
  "sslip.io",
  "xip.io",
  "xip.name",
  "backname.io",
  "nip.direct",
  "local-ip.co",
  "local-ip.sh",
  "localtest.me",
  "lvh.me",
  "vcap.me",
  "fuf.me",
  "lacolhost.com",
  "lcl.host",
  "localho.st",
  "lndo.site",
  "ddev.site",
  "traefik.me",
  "localhost.direct",
  "spoofed.burpcollaborator.net",
  "1u.ms",
  "rbndr.us",
  "rebind.network",
]);

/** Public names through which clouds give a machine its own credentials. */
const METADATA = new Set([
  "metadata.goog",
  "metadata.tencentyun.com",
  "metadata.packet.net",
  "metadata.platformequinix.com",
  "api.metadata.cloud.ibm.com",
]);

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * Checks whether a URL's host name can exist in the public DNS: it has at least two labels, and the last begins with a
 * letter.
 */
export function isPublicForm(name: string): boolean {
  const labels = name.split(".");
  return name.length <= 253 && labels.length > 1 && labels.every((label) => LABEL.test(label)) && isWord(labels.at(-1));
}

function isWord(label = ""): boolean {
  return /^[a-z]/.test(label);
}

/** Checks whether a name is for local use, serves a cloud's metadata, or is known to resolve to this machine. */
export function isLocalName(name: string): boolean {
  const labels = name.split(".");
  if (labels.length < 2 || LOCAL_ENDS.has(labels.at(-1) ?? "")) return true;
  return labels.some((_, index) => {
    const end = labels.slice(index).join(".");
    return LEADING_HOME.has(end) || METADATA.has(end);
  });
}

/**
 * Checks whether a public name contains `localhost` or an IPv4 address that is not public, such as
 * 10-0-0-1.example.com.
 */
export function namesLocalAddress(name: string): boolean {
  if (name.split(".").includes("localhost")) return true;
  const numbers = /(?<!\d)(?=(\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-](\d{1,3})(?!\d))/g;
  return [...name.matchAll(numbers)].some(
    ([, ...parts]) => parts.every((part) => Number(part) < 256) && isSpecialIp(parts.join(".")),
  );
}
