/** The capabilities of a number, in one vocabulary for all carriers. */
export const NUMBER_CAPABILITIES = ["voice", "sms", "mms", "fax"] as const;
export type NumberCapability = (typeof NUMBER_CAPABILITIES)[number];

export interface CarrierNumber {
  e164: string;
  capabilities: NumberCapability[];
}

/** The numbers of a carrier's account; `truncated` if it has more than were read. */
export interface CarrierNumberList {
  numbers: CarrierNumber[];
  truncated: boolean;
}

/** The address where inbound calls of these credentials are announced: our webhook. */
export interface InboundTarget {
  address: string;
  credentials_id: string;
}

export interface Verdict {
  ok: boolean;
  detail: string;
}

/** A number as configured at its carrier. */
export interface NumberSetup {
  /** Whether it is in service at the carrier, with an explanation if not. */
  in_service: Verdict;
  /** Whether inbound calls are announced at the target, with a sentence about where they go. */
  inbound: Verdict;
}

/** The numbers that one set of credentials gives access to. */
export interface CarrierNumbers {
  /** Returns all numbers, up to the limits of `readPages`. @throws CarrierRefusal */
  list(): Promise<CarrierNumberList>;
  /**
   * Returns the number's configuration without changing it; null if the account doesn't have it. @throws CarrierRefusal
   */
  look(e164: string, target: InboundTarget): Promise<NumberSetup | null>;
  /**
   * Sets the target as the address for calls to the number, whatever was set before, and returns sentences about what
   * was done. @throws CarrierRefusal, CarrierUncertain
   */
  setInbound(e164: string, target: InboundTarget): Promise<string>;
}

/** Numbers per page, if the carrier allows that many. Each takes about 2 KB. */
export const PAGE_ROWS = 250;
export const PAGE_BYTES = 2 * 1024 * 1024;

/** Maximum numbers in a list, pages read for it, and time for reading them. */
export const MAX_NUMBERS = 1_000;
export const MAX_PAGES = 50;
export const MAX_LIST_MS = 30_000;

/** Reads a carrier's list page by page until the last page or a limit. */
export async function readPages<C>(
  first: C,
  now: () => number,
  read: (cursor: C) => Promise<{ numbers: CarrierNumber[]; next: C | null }>,
): Promise<CarrierNumberList> {
  const found = new Map<string, CarrierNumber>();
  const until = now() + MAX_LIST_MS;
  let cursor: C | null = first;
  for (let pages = 0; cursor !== null && pages < MAX_PAGES && found.size < MAX_NUMBERS && now() < until; pages++) {
    const page: { numbers: CarrierNumber[]; next: C | null } = await read(cursor);
    for (const number of page.numbers) if (E164.test(number.e164)) found.set(number.e164, number);
    cursor = page.next;
  }
  const numbers = [...found.values()].slice(0, MAX_NUMBERS);
  return { numbers, truncated: cursor !== null || found.size > MAX_NUMBERS };
}

/** Short codes and the like are left out, because they can't place calls. */
const E164 = /^\+[1-9]\d{6,14}$/;

/** Returns the enabled capabilities, in the vocabulary's order. */
export function capabilitiesOf(has: Partial<Record<NumberCapability, boolean | null | undefined>>): NumberCapability[] {
  return NUMBER_CAPABILITIES.filter((capability) => has[capability] === true);
}

/**
 * Checks whether an address at the carrier leads to the target: it is the same address, with the same credentials or
 * none (then the credentials of the called number apply). The fragment is ignored, because it isn't sent.
 */
export function leadsTo(found: string | null | undefined, { address, credentials_id }: InboundTarget): boolean {
  if (!found || !URL.canParse(found)) return false;
  const [is, to] = [new URL(found), new URL(address)];
  const credentials = is.searchParams.getAll("credentials");
  return (
    is.origin === to.origin &&
    is.pathname === to.pathname &&
    is.username === "" &&
    is.password === "" &&
    credentials.every((id) => id.toLowerCase() === credentials_id.toLowerCase()) &&
    credentials.length <= 1
  );
}

/** Maximum length of a foreign address that is shown, characters. */
const MAX_SHOWN_CHARS = 300;

/** Returns an address without its password and the values of its query, which may be secrets. */
export function shownAddress(address: string): string {
  if (!URL.canParse(address)) return "an invalid address";
  const url = new URL(address);
  const names = [...new Set(url.searchParams.keys())].map((name) => `${encodeURIComponent(name)}=***`);
  const user = url.username === "" && url.password === "" ? "" : "***@";
  const shown = `${url.protocol}//${user}${url.host}${url.pathname}${names.length > 0 ? `?${names.join("&")}` : ""}`;
  return shown.replace(/\p{Cc}/gu, "").slice(0, MAX_SHOWN_CHARS);
}

/** A carrier's webhook address and method; null for the carrier's default method. */
export interface Webhook {
  url: string | null | undefined;
  method: string | null | undefined;
}

/**
 * Checks whether calls are announced at the target by POST. `by` names the carrier's resource if it isn't the number
 * itself.
 */
export function judgeWebhook({ url, method }: Webhook, target: InboundTarget, by: string | null = null): Verdict {
  const through = by === null ? "" : ` (${by})`;
  if (!url) return { ok: false, detail: `No address is set for incoming calls${through}.` };
  if (!leadsTo(url, target)) return { ok: false, detail: `Incoming calls are sent to ${shownAddress(url)}${through}.` };
  if (method?.toUpperCase() !== "POST")
    return {
      ok: false,
      detail: `The address for incoming calls uses ${method ?? "GET"}, and must use POST${through}.`,
    };
  return { ok: true, detail: `Incoming calls are sent to this service${through}.` };
}
