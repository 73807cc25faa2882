import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { threeWay } from "../../src/browser/console/ui/three-way.ts";

const FIELDS = ["a", "b", "c"] as const;
const text = fc.constantFrom("", "x", "y", "z");
const form = fc.record({ a: text, b: text, c: text, inner: fc.record({ a: text, b: text }) });

describe("a form whose fields someone else has saved meanwhile", () => {
  it("has the values entered here, and the saved ones in every other field", () => {
    fc.assert(
      fc.property(form, form, form, (base, mine, theirs) => {
        const { merged, clashes } = threeWay(base, mine, theirs);
        const paths = clashes.map(({ path }) => path);
        for (const [at, from, own, other, is] of [
          ["", base, mine, theirs, merged],
          ["inner.", base.inner, mine.inner, theirs.inner, merged.inner],
        ] as const) {
          for (const name of at === "" ? FIELDS : (["a", "b"] as const)) {
            const [was, entered, saved] = [from, own, other].map((values) => Reflect.get(values, name));
            expect(Reflect.get(is, name)).toBe(entered === was ? saved : entered);
            // Both people changed it to different values.
            expect(paths.includes(at + name)).toBe(entered !== was && saved !== was && entered !== saved);
          }
        }
      }),
    );
  });

  it("asks about an entered secret, whose stored value can't be read", () => {
    const [base, mine] = [{ secrets: { key: "", other: "" } }, { secrets: { key: "new", other: "" } }];
    const { clashes } = threeWay(base, mine, base, (path) => path.startsWith("secrets."));
    expect(clashes).toEqual([{ path: "secrets.key", theirs: "", mine: "new", isSecret: true }]);
  });
});
