import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CallingWindow, isTimeZone, nextOpening } from "../../src/campaigns/calling-windows.ts";

const ms = (time: string) => Date.parse(time);
const at = (time: number | null) => (time === null ? null : new Date(time).toISOString());
const office: CallingWindow[] = [{ days: [1, 2, 3, 4, 5], start: "09:00", end: "17:00" }];

describe("calling windows", () => {
  it("are open inside and say when they open outside", () => {
    // 2026-11-20 is a Friday.
    expect(at(nextOpening(office, "Europe/Berlin", ms("2026-11-20T10:00:00Z")))).toBe("2026-11-20T10:00:00.000Z");
    expect(at(nextOpening(office, "Europe/Berlin", ms("2026-11-20T16:00:00Z")))).toBe("2026-11-23T08:00:00.000Z");
    expect(at(nextOpening(office, "Europe/Berlin", ms("2026-11-20T07:59:00Z")))).toBe("2026-11-20T08:00:00.000Z");
  });

  it("end exclusively, and may last until midnight", () => {
    const late: CallingWindow[] = [{ days: [5], start: "22:00", end: "24:00" }];
    expect(at(nextOpening(late, "UTC", ms("2026-11-20T23:59:59Z")))).toBe("2026-11-20T23:59:59.000Z");
    expect(at(nextOpening(late, "UTC", ms("2026-11-21T00:00:00Z")))).toBe("2026-11-27T22:00:00.000Z");
  });

  it("follow the clock put forward: New York skips 02:00 to 03:00 on 2026-03-08", () => {
    const night: CallingWindow[] = [{ days: [7], start: "02:00", end: "03:00" }];
    expect(at(nextOpening(night, "America/New_York", ms("2026-03-08T05:00:00Z")))).toBe("2026-03-15T06:00:00.000Z");
    const across: CallingWindow[] = [{ days: [7], start: "02:30", end: "04:00" }];
    expect(at(nextOpening(across, "America/New_York", ms("2026-03-08T05:00:00Z")))).toBe("2026-03-08T07:00:00.000Z");
  });

  it("follow the clock put back: 01:00 to 02:00 lasts two hours on 2026-11-01 in New York", () => {
    const night: CallingWindow[] = [{ days: [7], start: "01:00", end: "02:00" }];
    expect(at(nextOpening(night, "America/New_York", ms("2026-11-01T04:00:00Z")))).toBe("2026-11-01T05:00:00.000Z");
    expect(at(nextOpening(night, "America/New_York", ms("2026-11-01T06:59:00Z")))).toBe("2026-11-01T06:59:00.000Z");
    expect(at(nextOpening(night, "America/New_York", ms("2026-11-01T07:00:00Z")))).toBe("2026-11-08T06:00:00.000Z");
  });

  it("are not needed, but fail closed where a zone or a window makes no sense", () => {
    expect(nextOpening(null, "Nowhere/At_All", 5)).toBe(5);
    expect(nextOpening(office, "Nowhere/At_All", 5)).toBeNull();
    expect(nextOpening([], "UTC", 5)).toBeNull();
    expect(isTimeZone("+01:00")).toBe(false);
  });

  it("say a time that is open, and nothing earlier is", () => {
    const zone = fc.constantFrom(
      "UTC",
      "Europe/Berlin",
      "America/New_York",
      "Asia/Kathmandu",
      "Australia/Lord_Howe",
      "Pacific/Apia",
    );
    const window = fc
      .tuple(
        fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
        fc.integer({ min: 0, max: 22 }),
        fc.integer({ min: 1, max: 10 }),
      )
      .map(([days, start, hours]) => ({
        days,
        start: `${String(start).padStart(2, "0")}:15`,
        end: `${String(Math.min(24, start + hours)).padStart(2, "0")}:00`,
      }))
      .filter(({ start, end }) => start < end);
    const time = fc.integer({ min: ms("2026-01-01T00:00:00Z"), max: ms("2027-12-31T00:00:00Z") });
    fc.assert(
      fc.property(
        fc.array(window, { minLength: 1, maxLength: 3 }),
        zone,
        time,
        fc.double({ min: 0, max: 0.99, noNaN: true }),
        (windows, tz, now, part) => {
          const opening = nextOpening(windows, tz, now);
          if (opening === null) throw new Error("a window on some weekday always comes");
          expect(nextOpening(windows, tz, opening)).toBe(opening);
          const before = Math.floor(now + (opening - now) * part);
          if (before < opening) expect(nextOpening(windows, tz, before)).toBe(opening);
        },
      ),
      { numRuns: 300 },
    );
  });
});
