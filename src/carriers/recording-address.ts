/** Where a carrier keeps its recordings. */
export interface RecordingPlaces {
  /** Hosts, each with the beginning of a path where others keep things there too; `*` is any part of a name between dots. */
  hosts: readonly string[];
  /** The carrier's configured address: what is at its origin is the carrier's too, so that a stand-in can serve. */
  base: string;
}

/** The address as it may be asked, or why not, without what may be secret in it. */
export type AddressVerdict = { url: URL } | { refused: string };

/** Whether an address is one of the carrier's own; who may sign a webhook may write anything into it. */
export function judgeRecordingAddress(address: string, { hosts, base }: RecordingPlaces, from?: URL): AddressVerdict {
  if (!URL.canParse(address, from?.href)) return { refused: "no address is given" };
  // What was judged is what is asked: nobody reads the text a second time.
  const url = new URL(address, from?.href);
  if (url.username !== "" || url.password !== "") return { refused: "an address with a name or password is given" };
  if (URL.canParse(base) && url.origin === new URL(base).origin) return { url };
  if (url.protocol !== "https:") return { refused: `an address of ${url.protocol.slice(0, 20)} is given` };
  const place = url.host + url.pathname;
  if (!hosts.some((pattern) => patternOf(pattern).test(place)))
    return { refused: `${url.host.slice(0, 100)} is not its own` };
  return { url };
}

function patternOf(pattern: string): RegExp {
  const escaped = pattern.split("*").map((part) => part.replace(/[.\\^$+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${escaped.join("[a-z0-9-]*")}/`);
}
