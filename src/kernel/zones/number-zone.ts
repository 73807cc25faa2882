import { type CountryCode, Metadata, parsePhoneNumberFromString } from "libphonenumber-js/max";
import { Temporal } from "temporal-polyfill";
import { COUNTRIES_BY_CODE, callingCodeOf } from "../numbers/calling-codes.ts";
import { DAY_MS } from "../time.ts";

/** Zones whose clocks have agreed from here on are one for a calling window, however they differed before. */
const AGREE_FROM_MS = Date.UTC(2026, 0, 1);
/** How long they have to agree, in steps short enough for no change of a clock to be missed. */
const AGREE_STEPS = 160;
const AGREE_STEP_MS = 7 * DAY_MS;
/** Digits behind a shared calling code that tell whose number it is: by leading digits, and by the numbering plan. */
const LEADING_DIGITS = 4;
const PLAN_DIGITS = 6;
/** Prefixes that are remembered for a calling code. */
const PREFIXES_KEPT = 20_000;

/** A country of a calling code that it shares with others. */
interface Territory {
  country: CountryCode;
  zone: string | null;
  /** What its numbers begin with, where that alone tells. */
  leading: RegExp | null;
}

/** A calling code whose countries do not all show the same time. */
interface SharedCode {
  /** Digits of the calling code. */
  length: number;
  territories: Territory[];
  /** Only the numbering plan can tell which of them a number belongs to. */
  byPlan: boolean;
  /** Results by the digits after the country code. */
  zones: Map<string, string | null>;
}

/** Results by a number's first three digits, which include its country code. */
const byPrefix = new Map<string, string | null | SharedCode>();

/**
 * The time zone of a number's country, where one clock holds for all of that country; else null. By the country's
 * calling code alone for all but a few codes, so that it costs next to nothing in a list of a million.
 */
export function zoneOfNumber(e164: string): string | null {
  const prefix = e164.slice(1, 4);
  let found = byPrefix.get(prefix);
  if (found === undefined) {
    found = lookUp(prefix);
    byPrefix.set(prefix, found);
  }
  return found === null || typeof found === "string" ? found : zoneAmong(found, e164);
}

function zoneAmong({ length, territories, byPlan, zones: found }: SharedCode, e164: string): string | null {
  const digits = e164.slice(1 + length, 1 + length + (byPlan ? PLAN_DIGITS : LEADING_DIGITS));
  let zone = found.get(digits);
  if (zone === undefined) {
    const led = territories.find(({ leading }) => leading?.test(digits));
    const country = led || !byPlan ? led?.country : parsePhoneNumberFromString(e164)?.country;
    zone = territories.find((territory) => territory.country === country)?.zone ?? null;
    if (found.size >= PREFIXES_KEPT) found.clear();
    found.set(digits, zone);
  }
  return zone;
}

function lookUp(prefix: string): string | null | SharedCode {
  const code = callingCodeOf(prefix);
  const countries: CountryCode[] = COUNTRIES_BY_CODE[code ?? ""] ?? [];
  const zones = countries.map(zonesOf);
  const common = oneClock(zones.flat());
  if (code === null || countries.length < 2 || common !== null) return common;
  const metadata = new Metadata();
  const territories = countries.map((country, i) => {
    metadata.selectNumberingPlan(country);
    const leading = metadata.numberingPlan?.leadingDigits();
    return { country, zone: oneClock(zones[i] ?? []), leading: leading ? new RegExp(`^(?:${leading})`) : null };
  });
  // If one of those that only the plan tells apart has several clocks, most numbers are its own.
  const others = territories.filter(({ leading }) => leading === null);
  const byPlan = others.length > 0 && others.every(({ zone }) => zone !== null);
  return { length: code.length, territories, byPlan, zones: new Map() };
}

/** The first of zones that all show the same time; null if they do not, or there are none. */
function oneClock(zones: string[]): string | null {
  const [first, ...others] = zones;
  if (first === undefined) return null;
  for (let step = 0; step < AGREE_STEPS && others.length > 0; step++) {
    const at = Temporal.Instant.fromEpochMilliseconds(AGREE_FROM_MS + step * AGREE_STEP_MS);
    const offset = at.toZonedDateTimeISO(first).offsetNanoseconds;
    if (others.some((zone) => at.toZonedDateTimeISO(zone).offsetNanoseconds !== offset)) return null;
  }
  return first;
}

/** The IANA zones of a country, as the runtime's own data (CLDR) has them; none where it has none. */
function zonesOf(country: CountryCode): string[] {
  // Part of ECMA-402 that the compiler's library does not know yet.
  const locale: Intl.Locale & { getTimeZones?(): string[] | undefined } = new Intl.Locale(`und-${country}`);
  return locale.getTimeZones?.() ?? [];
}
