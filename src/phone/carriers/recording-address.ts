import { type AddressVerdict, readAddress, refusalOf } from "../../kernel/egress/address.ts";

export interface RecordingPlaces {
  /** Hosts. On a shared host, the beginning of the carrier's path is appended; `*` matches one label of a host name. */
  hosts: readonly string[];
  /**
   * The carrier's configured address. Everything at its origin counts as the carrier's too, so that a stand-in can
   * serve recordings.
   */
  base: string;
}

/** A carrier's own hosts are public, and none of them belongs to this service. */
const RULES = { allowed: [], own: [] };

/**
 * Judges whether an address is one of the carrier's own. The signature of a webhook is not enough, because anyone who
 * can sign one can write any address into it.
 */
export function judgeRecordingAddress(address: string, { hosts, base }: RecordingPlaces, from?: URL): AddressVerdict {
  const read = readAddress(address, from);
  if ("refused" in read || (URL.canParse(base) && read.url.origin === new URL(base).origin)) return read;
  const refused = refusalOf(read.url, RULES);
  if (refused !== null) return { refused };
  const { host, pathname } = read.url;
  if (hosts.some((pattern) => patternOf(pattern).test(host + pathname))) return read;
  return { refused: `${host.slice(0, 100)} is not its own` };
}

function patternOf(pattern: string): RegExp {
  const escaped = pattern.split("*").map((part) => part.replace(/[.\\^$+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${escaped.join("[a-z0-9-]*")}/`);
}
