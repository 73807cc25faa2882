import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../../../../src/conversation/runtime/analysis/readings/spoken-languages.ts";
import { MAX_SPELLED_CHARS, spelled } from "../../../../src/conversation/runtime/built-in/spell-back.ts";
import { ACCENTS, ALPHABETS, SIGNS } from "../../../../src/conversation/runtime/built-in/spelling-alphabets.ts";

describe("spell_back", () => {
  it.each([
    ["Jo-7@x.at", "J as in Juliett, O as in Oscar, dash, seven, at, X as in X-ray, dot, A as in Alfa, T as in Tango"],
    ["202 555", "two, zero, two, space, five, five, five"],
    ["+43", "plus, four, three"],
    ["É", "E as in Echo with acute"],
    ["ü", "U as in Uniform with umlaut"],
    ["Øß", "O as in Oscar, S as in Sierra, S as in Sierra"],
    ["a_b", "A as in Alfa, underscore, B as in Bravo"],
    ["  a  \n b ", "A as in Alfa, space, B as in Bravo"],
    ["２", "two"],
    ["жα日", "ж, α, 日"],
    ["👍", "👍"],
  ])("spells %o", (text, expected) => {
    expect(spelled(text, "en-US").join(", ")).toBe(expected);
  });

  it.each([
    ["de-AT", "ß-üé@", "Eszett, Bindestrich, Ü wie Übung, E wie Essen mit Akut, at"],
    ["es-MX", "Ñ_á 2", "Ñ de Ñandú, guion bajo, A de Antonio con acento, espacio, dos"],
    ["fr", "ç.", "C comme Célestin avec cédille, point"],
    ["it-IT", "à'", "A come Ancona con accento grave, apostrofo"],
    ["pt-BR", "ã+", "A de Aveiro com til, mais"],
    ["nl-BE", "ë/71", "E van Eduard met trema, schuine streep, zeven, één"],
    ["pl-PL", "Łżąć", "Ł jak Łukasz, Ż jak Żaneta, A jak Adam z ogonkiem, C jak Celina z kreską"],
    ["ja-JP", "A", "A as in Alfa"],
  ])("in %s, %s is spelled %s", (language, text, expected) => {
    expect(spelled(text, language).join(", ")).toBe(expected);
  });

  it.each(Object.entries(ALPHABETS))("%s has a word for every letter, digit, sign and accent", (language, alphabet) => {
    const letters = alphabet.examples.split(" ").map((example) => example.charAt(0).toLowerCase());
    expect(letters).toEqual(expect.arrayContaining(Array.from("abcdefghijklmnopqrstuvwxyz")));
    expect(new Set(letters).size).toBe(letters.length);
    expect(alphabet.digits.split(" ")).toHaveLength(10);
    expect(alphabet.signs.split("|")).toHaveLength(SIGNS.length);
    expect(alphabet.accents.split("|")).toHaveLength(ACCENTS.length);
    expect(spelled("a", language)).not.toEqual(["a"]);
  });

  it("spells at most the maximum length", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), fc.constantFrom(...LANGUAGES), (text, language) => {
        const words = spelled(text, language);
        expect(words.length).toBeLessThanOrEqual(2 * MAX_SPELLED_CHARS);
        expect(words.every((word) => word.isWellFormed())).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
