import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { costOf, type Measure, type Rate } from "../../../src/records/prices/cost.ts";
import { PRICED_THINGS } from "../../../src/records/prices/default-prices.ts";
import { type OwnPrice, PricesAt } from "../../../src/records/prices/price-list.ts";
import { ratesOf } from "../../../src/records/prices/rates.ts";
import { amountOf, UNITS } from "../../../src/records/prices/units.ts";

const USAGE = {
  input_tokens: 4_210,
  cached_tokens: 3_000,
  output_tokens: 356,
  audio_ms: 0,
  speech_chars: 412,
  carrier_s: 72,
  tool_runs: 1,
};
const NOW = "2026-11-23T09:00:00.000Z";
const CALL = { carrier: "twilio", direction: "outbound", to_number: "+12025550143", relayed: false } as const;

describe("the cost of a conversation", () => {
  it("a conversation's cost is a sum of items at the prices in force, each rounded once", () => {
    const rates = ratesOf({ model: "gpt-4o", voice_provider: "deepgram", call: CALL }, new PricesAt([], NOW));
    expect(costOf(USAGE, rates)).toEqual({
      amount_micros: 3_025 + 3_750 + 3_560 + 12_360 + 28_000,
      currency: "USD",
      items: [
        {
          what: "model/gpt-4o/input",
          unit: "million_tokens",
          quantity: 0.00121,
          unit_micros: 2_500_000,
          amount_micros: 3_025,
        },
        {
          what: "model/gpt-4o/cached_input",
          unit: "million_tokens",
          quantity: 0.003,
          unit_micros: 1_250_000,
          amount_micros: 3_750,
        },
        {
          what: "model/gpt-4o/output",
          unit: "million_tokens",
          quantity: 0.000356,
          unit_micros: 10_000_000,
          amount_micros: 3_560,
        },
        {
          what: "speech/deepgram",
          unit: "thousand_characters",
          quantity: 0.412,
          unit_micros: 30_000,
          amount_micros: 12_360,
        },
        {
          what: "carrier/twilio/outbound/+1",
          unit: "started_minute",
          quantity: 2,
          unit_micros: 14_000,
          amount_micros: 28_000,
        },
      ],
      complete: true,
    });
  });

  it("a cost is incomplete if a price is unknown, which never counts as free", () => {
    const call = { carrier: "vonage", direction: "inbound", to_number: "+4930901820", relayed: false } as const;
    const cost = costOf(
      USAGE,
      ratesOf({ model: "compatible", voice_provider: "elevenlabs", call }, new PricesAt([], NOW)),
    );
    expect(cost).toMatchObject({ amount_micros: 20_600, complete: false });
    const unknown = cost.items.filter(({ unit_micros }) => unit_micros === null);
    expect(unknown.map(({ what, amount_micros }) => [what, amount_micros])).toEqual([
      ["model/compatible/input", null],
      ["model/compatible/cached_input", null],
      ["model/compatible/output", null],
      ["carrier/vonage/inbound/other", null],
    ]);
  });

  it("includes the carrier's speech if the carrier converts speech to text, and none if nothing is spoken", () => {
    const prices = new PricesAt([], NOW);
    const relayed = ratesOf(
      { model: "gpt-4o", voice_provider: "elevenlabs", call: Object.assign({}, CALL, { relayed: true }) },
      prices,
    );
    const whats = (rates: Rate[]) => costOf(USAGE, rates).items.map(({ what }) => what);
    expect(whats(relayed).slice(3)).toEqual(["relay/twilio", "carrier/twilio/outbound/+1"]);
    expect(whats(ratesOf({ model: "scripted", voice_provider: "", call: null }, prices))).toHaveLength(3);
  });

  it("includes the vendor's speech if the agent's own voice spoke outside a call", () => {
    const rates = ratesOf({ model: "scripted", voice_provider: "cartesia", call: null }, new PricesAt([], NOW));
    const { items, complete } = costOf(USAGE, rates);
    expect(items.at(-1)).toMatchObject({ what: "speech/cartesia", amount_micros: null });
    expect(complete).toBe(false);
  });

  it("a cost is exact for any usage, rounded half up, and grows with usage and price", () => {
    // Amounts stay below 2^53, the largest that a number represents exactly.
    const count = fc.integer({ min: 0, max: 9_000_000_000 });
    const price = fc.integer({ min: 0, max: 1_000_000_000 });
    fc.assert(
      fc.property(count, price, fc.constantFrom(...UNITS), (used, micros, unit) => {
        const amount = amountOf(used, unit, micros);
        expect(Number.isInteger(amount)).toBe(true);
        expect(amountOf(used + 1, unit, micros)).toBeGreaterThanOrEqual(amount);
        expect(amountOf(used, unit, micros + 1)).toBeGreaterThanOrEqual(amount);
        if (unit === "thousand_characters") {
          const exact = (BigInt(used) * BigInt(micros) * 10n) / 1_000n;
          expect(BigInt(amount)).toBe((exact + 5n) / 10n);
        }
      }),
    );
  });

  it("a cost is the sum of the items that have a price, and complete only if all have one", () => {
    const measure = fc.constantFrom<Measure>(
      "uncached_tokens",
      "cached_tokens",
      "output_tokens",
      "speech_chars",
      "carrier_s",
    );
    const unit_micros = fc.option(fc.integer({ min: 0, max: 1_000_000_000 }));
    const rate = fc.record({ what: fc.string(), measure, unit: fc.constantFrom(...UNITS), unit_micros });
    fc.assert(
      fc.property(fc.array(rate), (rates) => {
        const { items, amount_micros, complete } = costOf(USAGE, rates);
        expect(items).toHaveLength(rates.length);
        expect(amount_micros).toBe(items.reduce((sum, item) => sum + (item.amount_micros ?? 0), 0));
        expect(complete).toBe(rates.every((one) => one.unit_micros !== null));
        for (const item of items) expect(item.amount_micros === null).toBe(item.unit_micros === null);
      }),
    );
  });
});

describe("prices in force", () => {
  it("the account's newest price is in force, otherwise the vendor's", () => {
    const what = "model/gpt-4o/input";
    const own: OwnPrice[] = [
      { what, since: "2026-11-20T00:00:00.000Z", unit_micros: 7 },
      { what, since: "2026-11-22T00:00:00.000Z", unit_micros: null },
      { what, since: "2026-11-21T00:00:00.000Z", unit_micros: 0 },
    ];
    const at = (time: string) => new PricesAt(own, time).of(what).unit_micros;
    expect(at("2026-11-19T23:59:59.999Z")).toBe(2_500_000);
    expect(at("2026-11-20T00:00:00.000Z")).toBe(7);
    expect(at("2026-11-21T12:00:00.000Z")).toBe(0);
    expect(at("2026-11-22T00:00:00.000Z")).toBe(2_500_000);
    expect(at("2027-02-01T00:00:00.000Z")).toBe(100_000);
    expect(at("2020-01-01T00:00:00.000Z")).toBeNull();
  });

  it("have unique names, days in order, and a source for each default", () => {
    expect(new Set(PRICED_THINGS.map(({ what }) => what)).size).toBe(PRICED_THINGS.length);
    for (const { list } of PRICED_THINGS) {
      const days = list.map(({ since }) => since);
      expect(days).toEqual([...days].sort());
      for (const { since, unit_micros, source } of list) {
        expect(since).toMatch(/^\d{4}-\d\d-\d\d$/);
        expect(Number.isInteger(unit_micros)).toBe(true);
        expect(source === "part of the service" || /https:\/\/\S+$/.test(source)).toBe(true);
      }
    }
  });
});
