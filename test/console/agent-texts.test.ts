import { describe, expect, it } from "vitest";
import { variablesIn } from "../../src/browser/console/screens/agents/prompt/variables.ts";
import { isColor, sixDigits } from "../../src/browser/console/screens/agents/widget/color.ts";
import { agents } from "../../src/browser/console/texts/en/agents.ts";
import { builtIn } from "../../src/kernel/rendering/built-in.ts";

describe("the variables of an agent's texts", () => {
  it("the variables of an agent's texts are listed once each, with all their defaults", () => {
    expect(
      variablesIn("Hello {{ First Name|there }}, {{first_name}}!", "{{FIRST_NAME|you}} {{seat}} {{}} {{a"),
    ).toEqual([
      { name: "first_name", defaults: ["there", "you"], isBare: true },
      { name: "seat", defaults: [], isBare: true },
    ]);
    expect(variablesIn("{{name|}}")).toEqual([{ name: "name", defaults: [""], isBare: false }]);
  });

  it("built-in variables of an agent's texts are explained", () => {
    const surroundings = {
      agent_name: "Ada",
      account_name: "Acme",
      call: null,
      timezone: "UTC",
      language: "en",
      now: 0,
    };
    expect(Object.keys(agents.variables.builtIn)).toEqual(builtIn(surroundings).map(([name]) => name));
  });
});

describe("a color", () => {
  it("can be any that the API accepts, and is shown as six digits", () => {
    expect(["#abc", "#abcd", "#a1b2c3", "#A1B2C3D4"].filter(isColor)).toHaveLength(4);
    expect(["", "#", "#ab", "#abcde", "abc", "#abcdefa", "#abcdefabc", "red"].filter(isColor)).toEqual([]);
    expect(["#abc", "#abcd", "#A1B2C3", "#a1b2c3d4", "red"].map(sixDigits)).toEqual([
      "#aabbcc",
      "#aabbcc",
      "#a1b2c3",
      "#a1b2c3",
      "#000000",
    ]);
  });
});
