import { Temporal } from "temporal-polyfill";

/** Whether the zone exists (IANA time zone database). */
export function isTimeZone(zone: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);
    return /[A-Za-z]/.test(zone);
  } catch {
    return false;
  }
}
