import { type CountryCode, Metadata, parsePhoneNumberFromString } from "libphonenumber-js/max";
import { Temporal } from "temporal-polyfill";
import { COUNTRIES_BY_CODE, callingCodeOf } from "../numbers/calling-codes.ts";
import { DAY_MS } from "../time.ts";

/** Zones whose clocks agree from this time on are equivalent for a calling window, even if they differed before. */
const AGREE_FROM_MS = Date.UTC(2026, 0, 1);
/**
 * The number of steps in which the period of agreement is checked. They are short enough to find every clock change.
 */
const AGREE_STEPS = 160;
const AGREE_STEP_MS = 7 * DAY_MS;
/**
 * The number of digits after a shared calling code that determine the country: by leading digits, and by the numbering
 * plan.
 */
const LEADING_DIGITS = 4;
const PLAN_DIGITS = 6;
/** The number of prefixes that are cached for each calling code. */
const PREFIXES_KEPT = 20_000;

/** A country that shares its calling code with others. */
interface Territory {
  country: CountryCode;
  zone: string | null;
  /** The leading digits of its numbers, if they alone identify the country. */
  leading: RegExp | null;
}

/** A calling code of several countries that don't all have the same time. */
interface SharedCode {
  /** The length of the calling code, digits. */
  length: number;
  territories: Territory[];
  /** Whether only the numbering plan distinguishes the countries. */
  byPlan: boolean;
  /** The zones that were found, by the digits after the calling code. */
  zones: Map<string, string | null>;
}

/** What was found for a number's first three digits, which include its calling code. */
const byPrefix = new Map<string, string | null | SharedCode>();

/**
 * Returns the time zone of a number's country if the whole country has one clock; null otherwise. For all but a few
 * codes the calling code alone decides, so this is cheap in a list of a million numbers.
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
  // If one of the countries that only the numbering plan distinguishes has several clocks, most numbers belong to it.
  const others = territories.filter(({ leading }) => leading === null);
  const byPlan = others.length > 0 && others.every(({ zone }) => zone !== null);
  return { length: code.length, territories, byPlan, zones: new Map() };
}

/** Returns the first zone if all of them show the same time; null if they don't, or if there are none. */
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

/** Returns the IANA zones of a country from the runtime's own data (CLDR); none if the data has none. */
function zonesOf(country: CountryCode): string[] {
  // The compiler's library lacks this part of ECMA-402.
  const locale: Intl.Locale & { getTimeZones?(): string[] | undefined } = new Intl.Locale(`und-${country}`);
  return locale.getTimeZones?.() ?? [];
}
