import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_HEIGHT_PX, ScrollMap } from "../../src/browser/console/screens/campaigns/contacts/scroll-map.ts";
import { NewestFirst } from "../../src/browser/console/screens/campaigns/live/newest-first.ts";
import { OutcomesOverTime } from "../../src/browser/console/screens/campaigns/live/outcomes-over-time.ts";

/** A contact at a place; ids do not count up as places do where duplicates were dropped. */
const rowAt = (place: number) => ({ place, id: `contact-${place * 7}` });

describe("the order of contacts", () => {
  it("has every contact once, changed ones first and the newest at the top", () => {
    const touched = fc.array(fc.nat(29), { maxLength: 60 });
    fc.assert(
      fc.property(touched, fc.nat(5), (touches, dropped) => {
        const order = new NewestFirst();
        const changed: number[] = [];
        for (const place of touches) {
          const listedAt = changed.indexOf(place);
          if (listedAt !== -1) changed.splice(listedAt, 1);
          changed.push(place);
          order.touch(rowAt(place), listedAt !== -1);
        }
        for (let i = 0; i < Math.min(dropped, changed.length); i++) order.dropOldest();
        const newest = changed.slice(Math.min(dropped, changed.length)).toReversed();
        const others = Array.from({ length: 30 }, (_, place) => place).filter((place) => !newest.includes(place));
        const rows = Array.from({ length: 30 }, (_, index) => order.at(index));
        expect(rows.map(({ place }) => place)).toEqual([...newest, ...others]);
        expect(rows.slice(0, newest.length).map(({ id }) => id)).toEqual(newest.map((place) => rowAt(place).id));
        expect(order.size).toBe(newest.length);
      }),
    );
  });

  it("does not change in a copy", () => {
    const order = new NewestFirst();
    order.touch(rowAt(2), false);
    const held = order.copy();
    order.touch(rowAt(4), false);
    expect([held.at(0).place, held.at(1).place, order.at(0).place]).toEqual([2, 0, 4]);
    expect(order.moves - held.moves).toBe(1);
  });
});

describe("scrolling through a list that is taller than an element can be", () => {
  const ROWS = 1_000_000;
  const FULL = ROWS * 40;
  const VIEW = 600;
  const END = MAX_HEIGHT_PX - VIEW;
  const positions = fc.array(
    fc.oneof(
      fc.integer({ min: -50, max: END + 50 }),
      fc.integer({ min: 0, max: 4_000 }),
      fc.integer({ min: END - 4_000, max: END }),
    ),
  );

  it("reaches both ends, and never exceeds them", () => {
    fc.assert(
      fc.property(positions, fc.array(fc.integer({ min: -800, max: 800 })), (jumps, steps) => {
        const map = new ScrollMap(FULL, VIEW);
        let at = 0;
        for (const to of jumps) {
          at = to;
          map.scrollTo(at);
          for (const step of steps) {
            const before = map.top;
            at = Math.min(Math.max(at + step, 0), END);
            map.scrollTo(at);
            expect(map.top).toBeGreaterThanOrEqual(0);
            expect(map.top).toBeLessThanOrEqual(FULL - VIEW);
            if (step !== 0) expect(Math.sign(map.top - before) * Math.sign(step)).not.toBe(-1);
          }
        }
        map.scrollTo(0);
        expect(map.top).toBe(0);
        map.scrollTo(END);
        expect(map.top).toBe(FULL - VIEW);
      }),
    );
  });

  it("moves by small scrolls exactly, and over the whole list by the scrollbar", () => {
    const map = new ScrollMap(FULL, VIEW);
    map.scrollTo(END / 2);
    expect(map.top).toBeCloseTo((FULL - VIEW) / 2, 0);
    const { top, shift } = map;
    map.scrollTo(END / 2 + 120);
    expect([map.top - top, map.shift]).toEqual([120, shift]);
  });

  it("reaches the end without a jump when scrolled step by step", () => {
    const map = new ScrollMap(FULL, VIEW);
    map.scrollTo(END - 8_000);
    let most = 0;
    for (let at = END - 8_000; at <= END; at += 100) {
      const before = map.top;
      map.scrollTo(at);
      most = Math.max(most, map.top - before);
    }
    expect(map.top).toBe(FULL - VIEW);
    // The scrollbar has 8 million px for 40 million.
    expect(most).toBeLessThan(100 * 6);
  });

  it("is ordinary if the list fits", () => {
    const map = new ScrollMap(4_000, VIEW);
    for (const at of [0, 1_700, 3_400, 20]) {
      map.scrollTo(at);
      expect([map.top, map.shift, map.height]).toEqual([at, 0, 4_000]);
    }
    expect([map.toShow(0, 40), map.toShow(40, 80), map.toShow(800, 840)]).toEqual([0, undefined, 240]);
  });
});

describe("outcomes over time", () => {
  it("counts each end of a call once, however long the campaign lasts", () => {
    const ends = fc.array(fc.record({ ms: fc.nat(3 * 86_400_000), isAnswered: fc.boolean() }), { maxLength: 200 });
    fc.assert(
      fc.property(ends, (calls) => {
        const outcomes = new OutcomesOverTime();
        for (const { ms, isAnswered } of calls)
          outcomes.add({
            seq: 1,
            campaign_id: "",
            contact_id: "",
            position: 1,
            phone_number: "",
            status: isAnswered ? "completed" : "failed",
            previous_status: "connected",
            attempt: 1,
            call_id: null,
            reason: null,
            at: new Date(1_795_000_000_000 + ms).toISOString(),
          });
        const stretches = outcomes.stretches();
        const sum = (kind: "answered" | "failed") => stretches.reduce((all, stretch) => all + stretch[kind], 0);
        expect(sum("answered")).toBe(calls.filter(({ isAnswered }) => isAnswered).length);
        expect(sum("failed")).toBe(calls.filter(({ isAnswered }) => !isAnswered).length);
        expect(stretches.length).toBeLessThanOrEqual(122);
      }),
    );
  });
});
