/* A network to which a credential is limited (CIDR, RFC 4632 and RFC 4291). */
import { z } from "@hono/zod-openapi";

interface Network {
  /** The address as a number, with its host bits set to zero. */
  base: bigint;
  bits: 32 | 128;
  /** The length of the prefix, bits. */
  prefix: number;
}

/** The maximum number of networks per credential. */
export const MAX_NETWORKS = 100;

/**
 * Returns the schema of IP addresses and networks in their usual notation; `atLeastOne` is the error for an empty list.
 */
export const networks = (atLeastOne: string) =>
  z
    .array(
      z.string().transform((text, context) => {
        const network = canonicalNetwork(text);
        if (network !== null) return network;
        context.addIssue({ code: "custom", message: "must be an IP address or a network such as 203.0.113.0/24" });
        return z.NEVER;
      }),
    )
    .min(1, atLeastOne)
    .max(MAX_NETWORKS);

/**
 * Returns the network in its usual notation, such as `203.0.113.0/24`. An address becomes a network that contains only
 * itself. Returns null if the text is neither.
 */
export function canonicalNetwork(text: string): string | null {
  const network = networkOf(text.trim());
  return network && `${addressText(network)}/${network.prefix}`;
}

/** Checks whether the address is in one of the networks; null allows every address. */
export function isAllowedFrom(networks: readonly string[] | null, address: string): boolean {
  if (networks === null) return true;
  const from = networkOf(address);
  return from !== null && networks.some((text) => holds(networkOf(text), from));
}

function holds(network: Network | null, { base, bits, prefix }: Network): boolean {
  if (network === null || network.bits !== bits || prefix !== bits) return false;
  const rest = BigInt(bits - network.prefix);
  return base >> rest === network.base >> rest;
}

function networkOf(text: string): Network | null {
  const [, address = "", length] = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const parsed = ipv4Of(address) ?? ipv6Of(address.toLowerCase());
  if (parsed === null) return null;
  // An IPv4-mapped IPv6 address counts as IPv4, so its prefix is 96 bits shorter.
  const [bits, before, value] = parsed;
  const prefix = length === undefined ? bits : Number(length) - before;
  if (prefix < 0 || prefix > bits) return null;
  const rest = BigInt(bits - prefix);
  return { base: (value >> rest) << rest, bits, prefix };
}

/** The number of bits in the family, the bits that the notation has before the address, and the address as a number. */
type Parsed = [bits: 32 | 128, before: number, value: bigint];

function ipv4Of(text: string): Parsed | null {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) return null;
  return [32, 0, parts.reduce((value, part) => value * 256n + BigInt(part), 0n)];
}

function ipv6Of(text: string): Parsed | null {
  const [head = "", tail, ...more] = text.split("::");
  if (more.length > 0) return null;
  const [before, after] = [groupsOf(head), groupsOf(tail ?? "")];
  if (before === null || after === null) return null;
  const missingGroups = 8 - before.length - after.length;
  if (tail === undefined ? missingGroups !== 0 : missingGroups < 1) return null;
  const groups = [...before, ...Array<bigint>(missingGroups).fill(0n), ...after];
  const value = groups.reduce((sum, group) => sum * 0x10000n + group, 0n);
  return value >> 32n === 0xffffn ? [32, 96, value & 0xffffffffn] : [128, 0, value];
}

/**
 * Returns the groups of one side of an IPv6 address; null if it is invalid. The last group may be an IPv4 address.
 */
function groupsOf(side: string): bigint[] | null {
  if (side === "") return [];
  const parts = side.split(":");
  const [, , ipv4] = ipv4Of(parts.at(-1) ?? "") ?? [];
  const hexadecimal = ipv4 === undefined ? parts : parts.slice(0, -1);
  if (!hexadecimal.every((part) => /^[0-9a-f]{1,4}$/.test(part))) return null;
  const groups = hexadecimal.map((part) => BigInt(`0x${part}`));
  return ipv4 === undefined ? groups : [...groups, ipv4 >> 16n, ipv4 & 0xffffn];
}

function addressText({ base, bits }: Network): string {
  const [size, radix, glue] = bits === 32 ? ([8, 10, "."] as const) : ([16, 16, ":"] as const);
  const parts = Array.from({ length: bits / size }, (_, index) =>
    ((base >> BigInt(bits - size * (index + 1))) & ((1n << BigInt(size)) - 1n)).toString(radix),
  );
  const text = parts.join(glue);
  // Omits the first of the longest runs of zeros (RFC 5952).
  const [longest] = [...text.matchAll(/(?<=^|:)0(:0)+(?=:|$)/g)].sort((a, b) => b[0].length - a[0].length);
  if (bits === 32 || !longest) return text;
  const [start, end] = [text.slice(0, longest.index), text.slice(longest.index + longest[0].length)];
  return `${start.replace(/:$/, "")}::${end.replace(/^:/, "")}`;
}
