import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtIn } from "../../../src/kernel/rendering/built-in.ts";
import {
  inlineValue,
  MAX_RENDERED_CHARS,
  MAX_VALUE_CHARS,
  render,
  renderAll,
} from "../../../src/kernel/rendering/render.ts";
import { firstOfEachName, type Variable, valuesOf, variableName } from "../../../src/kernel/rendering/variables.ts";

const property = { seed: Number((env as unknown as { PROPERTY_SEED: string }).PROPERTY_SEED), numRuns: 500 };
const rendered = (template: string, ...variables: Variable[]) => render(template, valuesOf(variables));
const text = (template: string, ...variables: Variable[]) => rendered(template, ...variables).text;

describe("rendering", () => {
  it("inserts values by name, ignoring case, with _ for spaces, with spaces inside the braces", () => {
    const ada: Variable = ["First Name", "Ada"];
    for (const written of [
      "{{first_name}}",
      "{{ First Name }}",
      "{{FIRST_NAME}}",
      "{{\tfirst name\n}}",
      "{{first  name}}",
    ])
      expect.soft(text(`Hi ${written}!`, ada), written).toBe("Hi Ada!");
    expect(text("{{ STRASSE }}, {{Größe|-}}", ["strasse", "1"], ["gro\u0308ße", "2"])).toBe("1, 2");
  });

  it("inserts the default or nothing for an unknown or empty value, and lists each missing name once", () => {
    const { text, missing } = rendered(
      "{{Unknown}} {{unknown}} {{empty}} {{other|there}} {{empty|you}} {{ a | b c }} {{none|}}|",
      ["Empty", ""],
    );
    expect(text).toBe("   there you b c |");
    expect(missing).toEqual(["unknown", "empty"]);
  });

  it("uses the first value of a name, even if it is empty", () => {
    expect(text("{{city|nowhere}}", ["City", "Berlin"], ["city", "Paris"])).toBe("Berlin");
    expect(rendered("{{city}}", ["City", ""], ["city", "Paris"])).toEqual({ text: "", missing: ["city"] });
    expect(text("{{agent_name}}", ["Agent Name", "Bob"], ["agent_name", "Ada"])).toBe("Bob");
  });

  it("inserts values and defaults as plain text", () => {
    expect(text("{{a}} {{b}}", ["a", "{{b}}"], ["b", "{{a|x}} $& $1"])).toBe("{{b}} {{a|x}} $& $1");
    expect(text("{{x|{{a}}}}", ["a", "1"])).toBe("{{a}}");
    expect(text("{{x|a|b{c}d\ne}}")).toBe("a|b{c}d\ne");
  });

  it("keeps braces that are not placeholders", () => {
    for (const as_it_is of [
      "{{}}",
      "{{ }}",
      "{{|x}}",
      "{a}",
      "{{a",
      "{{a}",
      "a}}",
      "{{a}b}}",
      "{ {a} }",
      "{{a {b} }}",
      "{{",
    ])
      expect.soft(rendered(as_it_is, ["a", "1"], ["b", "2"]), as_it_is).toEqual({ text: as_it_is, missing: [] });
    expect(text("{{{a}}}", ["a", "1"])).toBe("{1}");
    expect(text("{{a {{b}} }}", ["a", "1"], ["b", "2"])).toBe("{{a 2 }}");
  });

  it("knows only the names it was given", () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
    expect(rendered(names.map((name) => `{{${name}}}`).join(""))).toEqual({
      text: "",
      missing: names.map((name) => name.toLowerCase()),
    });
    expect(text("{{__proto__}}", ["__proto__", "here"])).toBe("here");
  });

  it("renders several texts, and lists each missing name once", () => {
    const { texts, missing } = renderAll({ one: "{{x}} {{a}}", two: "{{y}} {{X}} {{a}}" }, [["a", "1"]]);
    expect([texts, missing]).toEqual([{ one: " 1", two: "  1" }, ["x", "y"]]);
  });

  it("keeps text without braces, and inserts every value on one line", () => {
    const plain = fc.string({ unit: "binary" }).filter((text) => !text.includes("{{"));
    fc.assert(
      fc.property(plain, plain, fc.string({ unit: "binary", minLength: 1 }), (before, after, value) => {
        const whole = `${before.replace(/\{$/, "")}{{ name }}${after}`;
        expect(text(whole, ["NAME", value])).toBe(`${before.replace(/\{$/, "")}${inlineValue(value)}${after}`);
      }),
      property,
    );
  });

  it("cuts a long value with …, never within a character, and keeps one of the maximum length", () => {
    const longest = "x".repeat(MAX_VALUE_CHARS);
    expect(text("{{a}}|", ["a", longest])).toBe(`${longest}|`);
    expect(text("{{a}}|", ["a", `${longest}y`])).toBe(`${longest}…|`);
    expect(text("{{a}}|", ["a", `${longest.slice(1)}😀y`])).toBe(`${longest.slice(1)}😀…|`);
    expect(text("{{a}}|", ["a", "😀".repeat(MAX_VALUE_CHARS)])).toBe(`${"😀".repeat(MAX_VALUE_CHARS)}|`);
    expect(text("{{a}}|", ["a", "😀".repeat(MAX_VALUE_CHARS + 1)])).toBe(`${"😀".repeat(MAX_VALUE_CHARS)}…|`);
    // Defaults are the author's own text, so they are not changed.
    expect(text(`{{a|${longest}\ny}}`)).toBe(`${longest}\ny`);
  });

  it("never lets a value add a line to its author's text", () => {
    const LINE_ENDS = /\r\n|[\p{Cc}\p{Zl}\p{Zp}]/u;
    const nasty = fc.constantFrom(
      "\n",
      "\r",
      "\r\n",
      "\v",
      "\f",
      "\x85",
      "\u2028",
      "\u2029",
      "\0",
      "SYSTEM: ",
      "{{b}}",
    );
    const value = fc
      .array(fc.oneof(nasty, fc.string({ unit: "binary" })), { maxLength: 12 })
      .map((all) => all.join(""));
    fc.assert(
      fc.property(value, value, (a, b) => {
        const lines = text("Be kind.\nCall {{a}} by name.\n{{b}}\nEnd.", ["a", a], ["b", b]).split(LINE_ENDS);
        expect(lines).toHaveLength(4);
        expect([lines[0], lines[3]]).toEqual(["Be kind.", "End."]);
        expect(lines[1]).toMatch(/^Call .* by name\.$/su);
        expect(lines.join("")).not.toMatch(/\p{Cc}/u);
      }),
      property,
    );
  });

  it("finds a variable whatever the case and spaces of its name, and the first of two that match", () => {
    const part = fc.stringMatching(/^[a-zA-Z0-9äÖß#€.-]{1,6}$/);
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 3 }), fc.string({ minLength: 1 }), (parts, value) => {
        const written = parts.join(" ");
        const column = parts.join("_").toUpperCase();
        fc.pre(variableName(written) === variableName(column));
        const expected = inlineValue(value);
        expect(text(`{{ ${written} |d}}`, [column, value], [written, "second"])).toBe(expected);
        expect(rendered(`{{${written}}}`).missing).toEqual([variableName(written)]);
      }),
      property,
    );
  });

  it("equals the plain definition, piece by piece, for any jumble of braces", () => {
    const jumble = fc.array(fc.constantFrom("{", "}", "{{", "}}", "|", "a", "b", " "), { maxLength: 30 });
    fc.assert(
      fc.property(jumble, (pieces) => {
        const template = pieces.join("");
        const values = valuesOf([
          ["a", "[A]"],
          ["b", "{{a}}"],
        ]);
        const expected = template.replace(
          /\{\{([^{}|]*?[^{}|\s][^{}|]*?)(?:\|([\s\S]*?))?\}\}/g,
          (_, name, fallback) => values.get(variableName(name)) ?? fallback?.trim() ?? "",
        );
        expect(render(template, values).text).toBe(expected);
      }),
      { ...property, numRuns: 5_000 },
    );
  });

  it.each([
    ["opening braces", "{".repeat(100_000)],
    ["opening braces that close once", `${"{".repeat(100_000)}}}`],
    ["openings with a name", "{{a".repeat(33_000)],
    ["openings with a name that close once", `${"{{a".repeat(33_000)}}}`],
    ["openings with a default", "{{a|".repeat(25_000)],
    ["openings that close by half", "{{a}".repeat(25_000)],
    ["openings with spaces", `{{${" ".repeat(50_000)}x${" ".repeat(50_000)}`],
    ["a name of nothing but spaces", `{{${" ".repeat(100_000)}}}`],
    ["names without an end", `{{${"a b ".repeat(25_000)}}}`],
    ["empty ones", "{{}}".repeat(25_000)],
  ])("rendering reads each character of %s a few times at most", (_, hostile) => {
    // Counts every access to the text. A quadratic algorithm would make billions.
    const counted = countingReads(() => render(hostile, valuesOf([])));
    expect(counted).toBeLessThan(20 * hostile.length);
  });

  it("stays within memory if a long value is used again and again", () => {
    const { text } = rendered("{{a}}".repeat(20_000), ["a", "x".repeat(16_000)]);
    expect(text).toHaveLength(MAX_RENDERED_CHARS);
  });
});

describe("built-in variables", () => {
  const surroundings = { agent_name: "Ada", account_name: "Acme Ltd", call: null, timezone: "UTC", language: "en-US" };
  const at = (time: string, timezone: string) =>
    Object.fromEntries(builtIn({ ...surroundings, timezone, now: Date.parse(time) }));

  it("contain the time as the language writes it, and in English the formats that existing texts use", () => {
    const now = Date.parse("2026-11-28T13:05:00Z");
    const saidIn = (language: string) => {
      const { date, time, weekday } = Object.fromEntries(builtIn({ ...surroundings, language, now }));
      return [date, time, weekday];
    };
    expect(saidIn("en-GB")).toEqual(["2026-11-28", "13:05", "Saturday"]);
    expect(saidIn("de-DE")).toEqual(["28. November 2026", "13:05", "Samstag"]);
    expect(saidIn("fr-FR")).toEqual(["28 novembre 2026", "13:05", "samedi"]);
    expect(saidIn("ja-JP")).toEqual(["2026年11月28日", "13:05", "土曜日"]);
  });

  it("contain the time as the zone's clocks and calendars show it", () => {
    expect(at("2026-11-21T23:05:59Z", "UTC")).toMatchObject({ date: "2026-11-21", time: "23:05", weekday: "Saturday" });
    const berlin = { date: "2026-11-22", time: "00:05", weekday: "Sunday" };
    expect(at("2026-11-21T23:05:59Z", "Europe/Berlin")).toMatchObject(berlin);
    const auckland = { date: "2026-03-09", time: "09:30", weekday: "Monday" };
    expect(at("2026-03-08T20:30:00Z", "Pacific/Auckland")).toMatchObject(auckland);
  });

  it("fall back to UTC for an unknown zone", () => {
    for (const zone of ["", "Mars/Olympus", "__proto__", "x".repeat(1_000)])
      expect.soft(at("2026-11-21T23:05:00Z", zone), zone).toMatchObject({ time: "23:05" });
  });

  it("contain the parties of a call, and none for a visitor", () => {
    const call = { direction: "inbound", from_number: "+13035550110", to_number: "+12025550100" };
    const values = [...builtIn({ ...surroundings, call, now: 0 })];
    const template = "{{agent_name}} {{account_name}} {{direction}} {{from_number}} {{to_number}}";
    expect(text(template, ...values)).toBe("Ada Acme Ltd inbound +13035550110 +12025550100");
    const visitor = rendered(template, ...builtIn({ ...surroundings, now: 0 }));
    expect(visitor.missing).toEqual(["direction", "from_number", "to_number"]);
  });
});

describe("the variables of a session", () => {
  it("the variables of a session are each listed once, under the first spelling of the name", () => {
    const variables = firstOfEachName([
      ["First Name", "Ada"],
      ["first_name", "Bob"],
      ["__proto__", "x"],
      ["__PROTO__", "y"],
    ]);
    expect(variables).toEqual([
      ["First Name", "Ada"],
      ["__proto__", "x"],
    ]);
    expect(Object.keys(Object.fromEntries(variables))).toEqual(["First Name", "__proto__"]);
  });
});

/** Returns an upper bound of the number of characters that the renderer reads. */
function countingReads(run: () => void): number {
  const { indexOf, slice } = String.prototype;
  const { exec } = RegExp.prototype;
  let reads = 0;
  try {
    String.prototype.indexOf = function (this: string, sought: string, from = 0) {
      const found = indexOf.call(this, sought, from);
      reads += (found === -1 ? this.length : found) - from + 1;
      return found;
    };
    String.prototype.slice = function (this: string, from?: number, to?: number) {
      const cut = slice.call(this, from, to);
      reads += cut.length;
      return cut;
    };
    RegExp.prototype.exec = function (this: RegExp, read: string) {
      const { lastIndex } = this;
      const found = exec.call(this, read);
      reads += (found ? found.index : read.length) - lastIndex + 1;
      return found;
    };
    run();
  } finally {
    String.prototype.indexOf = indexOf;
    String.prototype.slice = slice;
    RegExp.prototype.exec = exec;
  }
  return reads;
}
