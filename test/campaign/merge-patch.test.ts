import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergePatch } from "../../src/campaign/settings.ts";

const plain = fc.jsonValue({ maxDepth: 4 });
const patches = fc.dictionary(fc.string({ maxLength: 3 }), plain, { maxKeys: 4 });
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the value at a path of members, and whether it exists. */
function at(value: unknown, path: string[]): { there: boolean; value?: unknown } {
  let here = value;
  for (const name of path) {
    if (!isObject(here) || !Object.hasOwn(here, name)) return { there: false };
    here = here[name];
  }
  return { there: true, value: here };
}

/** Returns every leaf of a patch with its path: values that aren't objects, and empty objects. */
function leaves(patch: unknown, path: string[] = []): { path: string[]; value: unknown }[] {
  if (!isObject(patch) || Object.keys(patch).length === 0) return [{ path, value: patch }];
  return Object.entries(patch).flatMap(([name, value]) => leaves(value, [...path, name]));
}

describe("a JSON merge patch", () => {
  it.each([
    [{ a: "b" }, { a: "c" }, { a: "c" }],
    [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
    [{ a: "b" }, { a: null }, {}],
    [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
    [{ a: ["b"] }, { a: "c" }, { a: "c" }],
    [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
    [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
    [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
    [
      ["a", "b"],
      ["c", "d"],
      ["c", "d"],
    ],
    [{ a: "b" }, ["c"], ["c"]],
    [{ a: "foo" }, null, null],
    [{ a: "foo" }, "bar", "bar"],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: "b", c: null }, { a: "b" }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])("the merge patch of %j with %j is %j (RFC 7396, appendix A)", (before, patch, after) => {
    expect(mergePatch<unknown>(before, patch)).toEqual(after);
  });

  it("sets what it names, removes what it names null, and changes neither of its arguments", () => {
    fc.assert(
      fc.property(plain, patches, (before, patch) => {
        const [sentBefore, sentPatch] = [JSON.stringify(before), JSON.stringify(patch)];
        const after = mergePatch<unknown>(before, patch);
        for (const { path, value } of leaves(patch)) {
          if (path.length === 0) continue;
          if (value === null) expect(at(after, path).there).toBe(false);
          else if (isObject(value)) expect(isObject(at(after, path).value)).toBe(true);
          else expect(at(after, path)).toEqual({ there: true, value });
        }
        expect([JSON.stringify(before), JSON.stringify(patch)]).toEqual([sentBefore, sentPatch]);
      }),
    );
  });

  it("keeps what it doesn't name, and has the same effect when applied twice", () => {
    fc.assert(
      fc.property(patches, patches, (before, patch) => {
        const after = mergePatch<unknown>(before, patch);
        for (const name of Object.keys(before)) {
          if (!Object.hasOwn(patch, name)) expect(at(after, [name])).toEqual(at(before, [name]));
        }
        expect(mergePatch(after, patch)).toEqual(after);
      }),
    );
  });

  it("treats __proto__ like any other member", () => {
    const after = mergePatch<Record<string, unknown>>({}, JSON.parse('{"__proto__": {"admin": true}}'));
    expect(after.admin).toBeUndefined();
    expect(Object.hasOwn(after, "__proto__")).toBe(true);
  });
});
