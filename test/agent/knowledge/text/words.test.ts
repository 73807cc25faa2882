import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { guessLanguage } from "../../../../src/agent/knowledge/text/language.ts";
import { TOKENIZER, wordsOf } from "../../../../src/agent/knowledge/text/words.ts";

/** Returns the terms of an index over these words, in order. */
async function indexed(words: readonly string[]): Promise<string[]> {
  const stub = env.TEST_RUN.get(env.TEST_RUN.idFromName("words/words"));
  return runInDurableObject(stub, (_, { storage: { sql } }) => {
    sql.exec("DROP TABLE IF EXISTS terms; DROP TABLE IF EXISTS texts");
    sql.exec(`CREATE VIRTUAL TABLE texts USING fts5 (words, tokenize = "${TOKENIZER}")`);
    sql.exec("CREATE VIRTUAL TABLE terms USING fts5vocab ('texts', 'row')");
    for (const word of words) sql.exec("INSERT INTO texts VALUES (?)", word);
    return sql
      .exec<{ term: string }>("SELECT term FROM terms")
      .toArray()
      .map(({ term }) => term);
  });
}

describe("words", () => {
  it.each([
    ["policy", "policies"],
    ["refund", "Refunded"],
    ["price", "pricing"],
    ["cancel", "cancelled"],
    ["Kunde", "Kunden"],
    ["Preis", "Preisen"],
    ["Haus", "Häuser"],
    ["precio", "precios"],
    ["habitación", "habitaciones"],
    ["chambre", "chambres"],
    ["prezzo", "prezzi"],
    ["café", "CAFE"],
    ["ﬁle", "file"],
    ["ＡＢＣ", "abc"],
  ])("the words of “%s” are those of “%s”", (one, other) => {
    expect(wordsOf(one)).toEqual(wordsOf(other));
  });

  it("the words of different things stay different", () => {
    expect(wordsOf("three there then")).toEqual([...new Set(wordsOf("three there then"))]);
    expect(wordsOf("bill")).not.toEqual(wordsOf("ball"));
  });

  it("keep numbers, and drop everything but letters and digits", () => {
    expect(wordsOf('1.500,00 € – a* OR (b NEAR c) "d"^2')).toEqual([
      "1",
      "500",
      "00",
      "a",
      "or",
      "b",
      "near",
      "c",
      "d",
      "2",
    ]);
  });

  it("words are found in scripts without spaces", () => {
    expect(wordsOf("退款政策是什么")).toContain("退款");
    expect(wordsOf("ที่พักใกล้สนามบิน")).toContain("ที่พัก");
    expect(wordsOf("返金ポリシーについて")).toContain("ポリシー");
  });

  it("a word is cut off after 64 characters", () => {
    expect(wordsOf("7".repeat(5_000))).toEqual(["7".repeat(64)]);
  });

  it("the words of any text are at least one character long and well formed", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        for (const word of wordsOf(text)) {
          expect(word).not.toBe("");
          expect(word.isWellFormed()).toBe(true);
        }
      }),
    );
  });

  it("a word is an unchanged term of the index in any script", async () => {
    const letters = Array.from({ length: 0x30000 }, (_, point) => point).filter(
      (point) => point < 0xd800 || point > 0xdfff,
    );
    const words = [...new Set(letters.flatMap((point) => wordsOf(String.fromCodePoint(point))))];
    const terms = new Set(await indexed(words));
    expect(words.filter((word) => !terms.has(word))).toEqual([]);
  });
});

describe("the language of a text", () => {
  it.each([
    ["en", "You are paid the refund within three days of the return."],
    ["de", "Wir sind von Montag bis Freitag für Sie da, und das Telefon ist nicht besetzt."],
    ["es", "El reembolso se paga con la tarjeta del cliente y por los días que son para ello."],
    ["fr", "Le remboursement est versé dans les trois jours et vous le recevez pour la commande."],
    ["ja", "返金は三日以内に行われます。"],
    ["zh", "退款将在三天内完成。"],
  ])("the language %s of a text is guessed", (language, text) => {
    expect(guessLanguage(text)).toBe(language);
  });

  it("the language of a text is unknown without a distinctive word", () => {
    expect(guessLanguage("4711 0815 ABC-1")).toBeNull();
    expect(guessLanguage("")).toBeNull();
  });
});
