import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nameAfter, slugOf } from "../../src/browser/console/ui/slug.ts";

describe("the name suggested by a title", () => {
  it("the suggested name is the title in lower case with underscores", () => {
    expect(slugOf("How can I pay?")).toBe("how_can_i_pay");
    expect(slugOf("  Öffnungszeiten & Café's straße ")).toBe("offnungszeiten_cafes_strasse");
    expect(slugOf("24/7 support")).toBe("support");
    expect(slugOf("日本")).toBe("");
    const seed = Number(process.env.PROPERTY_SEED ?? 1);
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 100 }), (title) => {
        expect(slugOf(title)).toMatch(/^([a-z][a-z0-9_]{0,62})?$/);
      }),
      { seed },
    );
  });

  it("follows the title until another is entered", () => {
    expect(nameAfter("Night d", { name: "", title: "" })).toBe("night_d");
    expect(nameAfter("Night desk", { name: "night_d", title: "Night d" })).toBe("night_desk");
    expect(nameAfter("Night desk", { name: "desk", title: "Night d" })).toBe("desk");
  });
});
