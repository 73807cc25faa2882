/**
 * IPv4 ranges outside the public internet: IANA's special-purpose registry (RFC 6890), multicast and the former class
 * E.
 */
const SPECIAL_IPV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
].map((range) => {
  const [base = "", bits] = range.split("/");
  return { base: ipv4Of(base), shift: 32 - Number(bits) };
});

/** Checks whether a URL's host is an IP address. URLs write IPv4 in only one form, and IPv6 in brackets. */
export function isIpAddress(hostname: string): boolean {
  return hostname.startsWith("[") || /^\d+(\.\d+){3}$/.test(hostname);
}

/** Checks whether an IP address in a URL is loopback, private or otherwise reserved for a special purpose. */
export function isSpecialIp(hostname: string): boolean {
  return hostname.startsWith("[") ? isSpecialIpv6(groupsOf(hostname.slice(1, -1))) : isSpecialIpv4(ipv4Of(hostname));
}

function isSpecialIpv4(address: number): boolean {
  return SPECIAL_IPV4.some(({ base, shift }) => address >>> shift === base >>> shift);
}

/**
 * Checks an IPv6 address. Public addresses are global unicast (2000::/3) without a special purpose, or contain a public
 * IPv4 address.
 */
function isSpecialIpv6(groups: number[]): boolean {
  const [a = 0, b = 0, c = 0] = groups;
  const [isatapFlag = 0, isatap, high = 0, low = 0] = groups.slice(4);
  const startsWith = (...prefix: number[]) => prefix.every((group, index) => groups[index] === group);
  // Mapped, NAT64 and 6to4 addresses reach the IPv4 address that they contain.
  if (startsWith(0, 0, 0, 0, 0, 0xffff) || startsWith(0x64, 0xff9b, 0, 0, 0, 0))
    return isSpecialIpv4(joined(high, low));
  if (a === 0x2002) return isSpecialIpv4(joined(b, c));
  if (a >>> 13 !== 1) return true;
  // Protocol assignments (including Teredo) and documentation.
  if ((a === 0x2001 && b < 0x200) || startsWith(0x2001, 0xdb8) || (a === 0x3fff && b < 0x1000)) return true;
  return (isatapFlag & ~0x200) === 0 && isatap === 0x5efe && isSpecialIpv4(joined(high, low));
}

function ipv4Of(dotted: string): number {
  return dotted.split(".").reduce((address, part) => address * 256 + Number(part), 0);
}

function joined(high: number, low: number): number {
  return high * 0x10000 + low;
}

/** Returns the eight groups of an IPv6 address in a URL: hexadecimal, with at most one `::`. */
function groupsOf(address: string): number[] {
  const [before = [], after] = address.split("::").map((part) => (part === "" ? [] : part.split(":")));
  const zeros = after ? Array.from({ length: 8 - before.length - after.length }, () => "0") : [];
  return [...before, ...zeros, ...(after ?? [])].map((group) => Number.parseInt(group, 16));
}
