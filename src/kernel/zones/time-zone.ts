import { Temporal } from "temporal-polyfill";

/** Most characters of a zone's name; the longest of the database has 32. */
const MAX_ZONE_CHARS = 64;

/** Whether the zone exists (IANA time zone database). */
export function isTimeZone(zone: string): boolean {
  return zoneNamed(zone) !== null;
}

/**
 * The zone of this name as the database writes it, null if there is none. Names are matched without case, and each
 * spelling that is kept would count as a zone of its own.
 */
export function zoneNamed(name: string): string | null {
  if (name.length > MAX_ZONE_CHARS || !/[A-Za-z]/.test(name)) return null;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch {
    return null;
  }
}
