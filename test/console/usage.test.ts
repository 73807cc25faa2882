import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { daysOf, PERIODS, periodNamed, plottedAt, windowOf } from "../../src/browser/console/screens/usage/periods.ts";
import { byDay, type Sums, sumOf, unpricedOf } from "../../src/browser/console/screens/usage/sums.ts";
import { formatMoney, formatMoneyExact } from "../../src/browser/console/texts/format.ts";
import { prices } from "../../src/browser/console/texts/index.ts";
import { dayOf } from "../../src/browser/console/ui/days.ts";
import { PRICED_THINGS } from "../../src/records/prices/default-prices.ts";

const NOW = Date.parse("2026-03-31T23:30:00Z");
const NONE = { from: "", until: "" };
const ZERO: Sums = sumOf([]);
const row = (over: Partial<Sums> & { day?: string; kind?: string }) =>
  Object.assign({ speech_chars: 0, carrier_s: 0 }, ZERO, over);

describe("periods", () => {
  it("end with today, or are whole months, in UTC", () => {
    expect(windowOf("7d", NOW, NONE)).toEqual({ from: "2026-03-25", to: "2026-04-01" });
    expect(windowOf("month", NOW, NONE)).toEqual({ from: "2026-03-01", to: "2026-04-01" });
    expect(windowOf("last_month", NOW, NONE)).toEqual({ from: "2026-02-01", to: "2026-03-01" });
    const january = Date.parse("2027-01-05T00:00:00Z");
    expect(windowOf("last_month", january, NONE)).toEqual({ from: "2026-12-01", to: "2027-01-01" });
    expect([periodNamed("90d"), periodNamed(""), periodNamed("ever")]).toEqual(["90d", "30d", "30d"]);
  });

  it("a period of chosen days includes the last one, and is undefined if invalid", () => {
    const chosen = (from: string, until: string) => windowOf("days", NOW, { from, until });
    expect(chosen("2026-02-28", "2026-02-28")).toEqual({ from: "2026-02-28", to: "2026-03-01" });
    expect(chosen("2024-01-01", "2024-12-31")).toEqual({ from: "2024-01-01", to: "2025-01-01" });
    for (const [from, until] of [
      ["2026-03-02", "2026-03-01"],
      ["2024-01-01", "2025-01-01"],
      ["", "2026-03-01"],
      ["2026-13-01", "2026-03-01"],
    ])
      expect(chosen(from ?? "", until ?? ""), `${from} ${until}`).toBeNull();
  });

  it("include every day once, with its label in a plot, at any time", () => {
    const times = fc.integer({ min: Date.parse("2020-01-01"), max: Date.parse("2040-01-01") });
    fc.assert(
      fc.property(times, fc.constantFrom(...PERIODS.filter((period) => period !== "days")), (now, period) => {
        const window = windowOf(period, now, NONE) ?? expect.fail("no window");
        const days = daysOf(window);
        expect([days[0], new Set(days).size]).toEqual([window.from, days.length]);
        expect(days.every((day) => day >= window.from && day < window.to)).toBe(true);
        expect(days.map((day) => dayOf(new Date(plottedAt(day)).toISOString()))).toEqual(days);
      }),
    );
  });
});

describe("sums", () => {
  it("include days without use, and the sums of the kinds add up to the total", () => {
    const days = ["2026-03-01", "2026-03-02", "2026-03-03"];
    const part = fc.record({
      day: fc.constantFrom(...days),
      kind: fc.constantFrom("call", "widget", "test"),
      cost: fc.nat(1_000_000),
      conversations: fc.nat(50),
    });
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const rows = parts.map(row);
        const all = byDay(rows, days);
        const kinds = ["call", "widget", "test"].map((kind) => byDay(rows, days, kind));
        expect(all).toHaveLength(days.length);
        for (const nth of days.keys())
          expect(kinds.reduce((sum, kind) => sum + (kind[nth]?.cost ?? 0), 0)).toBe(all[nth]?.cost);
        expect(sumOf(all).conversations).toBe(parts.reduce((sum, { conversations }) => sum + conversations, 0));
      }),
    );
  });

  it("list each missing price once", () => {
    const item = (what: string, unit_micros: number | null) => {
      return { what, unit: "minute" as const, quantity: 1, unit_micros, amount_micros: unit_micros };
    };
    const cost = (...items: ReturnType<typeof item>[]) => {
      return { cost: { amount_micros: 0, currency: "USD" as const, items, complete: false } };
    };
    const found = [
      cost(item("a", null), item("b", 0)),
      { cost: null },
      cost(item("d", 14_000), item("a", null), item("c", null)),
    ];
    expect(unpricedOf(found)).toEqual(["a", "c"]);
  });
});

describe("money", () => {
  it("money is shown to the cent from a dollar on, with significant digits below, and in full for a price", () => {
    const written = [0, 7, 50, 3_560, 70_000, 999_999, 1_234_567, 4_812_350_000].map(formatMoney);
    expect(written).toEqual(["$0.00", "<$0.0001", "$0.0001", "$0.0036", "$0.07", "$1.00", "$1.23", "$4,812.35"]);
    expect([14_000, 8_500, 1, 2_500_000].map(formatMoneyExact)).toEqual(["$0.014", "$0.0085", "$0.000001", "$2.50"]);
  });

  it("is shown with a unique name for each price", () => {
    const names = PRICED_THINGS.map(({ what }) => prices.nameOf(what));
    expect(new Set(names).size).toBe(names.length);
    for (const [nth, name] of names.entries()) expect(name).not.toBe(PRICED_THINGS[nth]?.what);
    expect(prices.nameOf("something/new")).toBe("something/new");
  });
});
