import fc from "fast-check";
import { expect, it } from "vitest";
import { BoundedMap } from "../../src/kernel/bounded-map.ts";

it("a bounded map holds the entries that were set last, in that order", () => {
  const sets = fc.array(fc.tuple(fc.nat(9), fc.nat()), { maxLength: 60 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), sets, (most, sets) => {
      const map = new BoundedMap<number, number>(most);
      let expected: [number, number][] = [];
      for (const [key, value] of sets) {
        map.set(key, value);
        expected = [...expected.filter(([other]) => other !== key), [key, value] as [number, number]].slice(-most);
        expect([...map]).toEqual(expected);
      }
    }),
  );
});
