import { CarrierRefusal, type MediaSession } from "./carrier.ts";

/**
 * Returns the runtime's address. Without an address, a carrier would connect the callee to silence.
 * @throws CarrierRefusal
 */
export function mediaUrl({ runtime_url }: Pick<MediaSession, "runtime_url">): string {
  if (runtime_url === "") throw new CarrierRefusal("rejected", "no media runtime is configured (VOICE_RUNTIME_URL)");
  return runtime_url;
}

/** Escapes text for XML content or attributes. Characters that XML can't contain are dropped. */
export function xml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "")
    .replace(/[<>&"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

export function attributes(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${xml(value)}"`)
    .join("");
}

export const XML = "application/xml";

export function instructions(...verbs: string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Response>${verbs.join("")}</Response>`;
}

/** Returns the longest prefix of a text that fits, without splitting a character. */
export function cutToFit(text: string, fits: (text: string) => boolean): string {
  const chars = [...text];
  let [low, high] = [0, chars.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(chars.slice(0, middle).join(""))) low = middle;
    else high = middle - 1;
  }
  return chars.slice(0, low).join("");
}

/** Rounds to whole seconds within a carrier's limits. */
export function seconds(wanted: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, Math.round(wanted)));
}

/** Returns digits as E.164. Anything but a number (a SIP address, "anonymous") is unchanged. */
export function plus(number: string): string {
  return /^[1-9]\d{6,14}$/.test(number) ? `+${number}` : number;
}

/**
 * Returns the caller as the carrier reports it: a number, an address, or a word if it is withheld. Some carriers then
 * send nothing.
 */
export function callerNumber(from: string | null | undefined): string {
  return plus(from?.trim() ?? "") || "anonymous";
}

/** Converts a carrier's seconds to ms; undefined if there are none. */
export function msOf(seconds: string | number | null | undefined): number | undefined {
  const number = Number(seconds ?? Number.NaN);
  return seconds !== "" && Number.isFinite(number) && number >= 0 ? Math.round(number * 1_000) : undefined;
}

/** Returns E.164 without the plus sign, for carriers that want only digits. */
export function digits(number: string): string {
  return number.replace(/^\+/, "");
}

/**
 * How much earlier or later than ours a carrier's time of a call may be, ms. Clocks differ, and calls wait in queues.
 */
const EARLIER_MS = 15_000;
const LATER_MS = 120_000;

/**
 * Returns the carrier's call between two numbers that was placed at the given time; undefined if it can't be
 * determined.
 */
export function placedThen<T>(calls: T[], at: (call: T) => string | null | undefined, placedAt: number): T | undefined {
  const near = calls.filter((call) => {
    const time = Date.parse(at(call) ?? "");
    return time >= placedAt - EARLIER_MS && time <= placedAt + LATER_MS;
  });
  return near.length === 1 ? near[0] : undefined;
}
