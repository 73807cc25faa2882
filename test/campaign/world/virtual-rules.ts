import fc from "fast-check";
import type { Rules } from "./virtual-world.ts";

export const ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"];

const hour = (h: number) => `${String(h).padStart(2, "0")}:00`;
const window = fc
  .record({
    days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 7 }),
    start: fc.integer({ min: 0, max: 23 }),
    hours: fc.integer({ min: 1, max: 12 }),
  })
  .map(({ days, start, hours }) => ({ days, start: hour(start), end: hour(Math.min(24, start + hours)) }));

/** Random settings of a campaign. */
export const rules: fc.Arbitrary<Rules> = fc.record({
  max_concurrency: fc.option(fc.integer({ min: 1, max: 6 })),
  calls_per_minute: fc.option(fc.integer({ min: 1, max: 30 })),
  windows: fc.option(fc.array(window, { minLength: 1, maxLength: 3 })),
  timezone: fc.constantFrom(...ZONES),
  scheduledIn: fc.option(fc.integer({ min: 0, max: 600 })),
});
