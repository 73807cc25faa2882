import { env } from "cloudflare:workers";
import fc from "fast-check";
import * as german from "n2words/de-DE";
import * as english from "n2words/en-GB";
import * as american from "n2words/en-US";
import * as spanish from "n2words/es-ES";
import * as french from "n2words/fr-FR";
import * as italian from "n2words/it-IT";
import * as japanese from "n2words/ja-JP";
import * as dutch from "n2words/nl-NL";
import * as polish from "n2words/pl-PL";
import * as portuguese from "n2words/pt-PT";
import { Temporal } from "temporal-polyfill";
import { describe, expect, it } from "vitest";
import { namedDays } from "../../../src/conversation/runtime/analysis/readings/date-words.ts";
import { dateMentions, datesIn } from "../../../src/conversation/runtime/analysis/readings/dates.ts";
import { wordNumberAt } from "../../../src/conversation/runtime/analysis/readings/number-words.ts";
import { numberMentions } from "../../../src/conversation/runtime/analysis/readings/numbers.ts";
import {
  emailsIn,
  isSamePhone,
  phonesIn,
  piecesOf,
} from "../../../src/conversation/runtime/analysis/readings/spelled.ts";
import { plainText, tokensOf } from "../../../src/conversation/runtime/analysis/readings/tokens.ts";

const seed = Number((env as unknown as { PROPERTY_SEED: string }).PROPERTY_SEED);
const runs = { seed, numRuns: 300 };
const DAY = "2026-11-25";
const SPOKEN = { german, english, american, spanish, french, italian, japanese, dutch, polish, portuguese };
const LOCALES = ["en", "en-GB", "de", "es", "fr", "it", "pt", "nl", "pl", "ja"];

const day = fc
  .date({ min: new Date("2000-01-01"), max: new Date("2099-12-31"), noInvalidDate: true })
  .map((date) => Temporal.PlainDate.from(date.toISOString().slice(0, 10)));
const atNoon = (date: Temporal.PlainDate) => new Date(`${date.toString()}T12:00:00Z`);

describe("a value that is spoken is read back", () => {
  it.each(Object.entries(SPOKEN))("a spoken number in %s is read back", (_, { toCardinal }) => {
    const number = fc.oneof(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1, max: 999_999 }));
    fc.assert(
      fc.property(number, (n) => {
        expect(numberMentions(`xx ${toCardinal(n)}.`).flatMap(({ values }) => values)).toContain(n);
      }),
      runs,
    );
  });

  it.each(LOCALES)("a number in figures of %s is read back", (locale) => {
    const cents = fc.integer({ min: 0, max: 99_999_999 }).map((n) => n / 100);
    const currency = { style: "currency", currency: "EUR" } as const;
    fc.assert(
      fc.property(cents, (n) => {
        const said = new Intl.NumberFormat(locale, currency).format(n);
        expect(numberMentions(said).flatMap(({ values }) => values)).toContain(n);
      }),
      runs,
    );
  });

  it.each(LOCALES)("a spoken day with its month's name in %s is read back", (locale) => {
    const format = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" });
    fc.assert(
      fc.property(day, (date) => {
        expect([...datesIn(format.format(atNoon(date)), DAY)]).toEqual([date.toString()]);
      }),
      runs,
    );
  });

  it.each([
    ["en", american, (n: number) => `the ${american.toOrdinal(n)} of`],
    ["de", german, (n: number) => `am ${german.toOrdinal(n)}n`],
    ["es", spanish, (n: number) => `el ${spanish.toCardinal(n)} de`],
    ["fr", french, (n: number) => `le ${n === 1 ? "premier" : french.toCardinal(n)}`],
    ["it", italian, (n: number) => `il ${italian.toCardinal(n)}`],
    ["pt", portuguese, (n: number) => `${portuguese.toCardinal(n)} de`],
    ["nl", dutch, (n: number) => dutch.toCardinal(n)],
  ] as const)("a spoken day in words of %s is read back", (locale, _, sayDay) => {
    const month = new Intl.DateTimeFormat(locale, { month: "long", timeZone: "UTC" });
    fc.assert(
      fc.property(day, (date) => {
        // An article is not a day: "un marzo" and "één maart" are said with the ordinal.
        fc.pre(date.day > 1 || locale === "en" || locale === "de" || locale === "fr");
        // Without a year it is a day near 2026, and none of those years has a 29 February.
        fc.pre(date.month !== 2 || date.day !== 29);
        const near = [-1, 0, 1].map((by) => date.with({ year: 2026 + by }).toString());
        const [read, ...more] = datesIn(`${sayDay(date.day)} ${month.format(atNoon(date))}`, DAY);
        expect(more).toEqual([]);
        expect(near).toContain(read);
      }),
      runs,
    );
  });

  it("a spoken e-mail address is read back, spelled or in words", () => {
    const word = fc.stringMatching(/^[b-hj-z][a-z]{3,7}$/).filter((one) => numberMentions(one).length === 0);
    const address = fc.record({ first: word, last: word, domain: word, tld: fc.constantFrom("com", "de", "co.uk") });
    fc.assert(
      fc.property(address, fc.boolean(), ({ first, last, domain, tld }, isSpelled) => {
        const name = isSpelled ? [...first].join(" ") : first;
        const said = `${name} dot ${last} at ${domain} dot ${tld.replace(".", " dot ")}`;
        const read = emailsIn(piecesOf(`Sure, ${said}, thanks.`)).flatMap(({ values }) => values);
        expect(read).toContain(`${first}.${last}@${domain}.${tld}`);
      }),
      runs,
    );
  });

  it("a spoken phone number is read back, digit by digit in any language", () => {
    const number = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 7, maxLength: 12 });
    fc.assert(
      fc.property(
        number,
        fc.constantFrom(american, german, spanish, french, dutch, polish),
        (digits, { toCardinal }) => {
          const said = digits.map((n) => toCardinal(n)).join(" ");
          expect(phonesIn(piecesOf(said)).some((phone) => isSamePhone(digits.join(""), phone))).toBe(true);
        },
      ),
      runs,
    );
  });
});

/** Counts how often a reading looks at a token of a text. */
function steps<T extends object>(all: T[], read: (all: T[]) => unknown): number {
  let looks = 0;
  const counted = new Proxy(all, {
    get(target, key) {
      if (typeof key === "string" && /^\d+$/.test(key)) looks++;
      return Reflect.get(target, key);
    },
  });
  read(counted);
  return looks;
}

describe("a reading", () => {
  const today = Temporal.PlainDate.from(DAY);
  const HOSTILE = [
    "one",
    "twenty",
    "hundred and",
    "two hundred and",
    "double",
    "a at",
    "dot at",
    "b",
    "in three",
    "next",
    "the 3",
  ];
  const MORE = [
    "march 1",
    "friday",
    "24 . december",
    "quatre vingt",
    "zweitausend",
    "mil",
    "days",
    "at x dot",
    "5,",
    "1 2",
  ];

  it.each([...HOSTILE, ...MORE])("a reading takes time linear in the length of a text of only: %s", (words) => {
    const text = (times: number) => plainText(`${words} `.repeat(times));
    const [tokens, more] = [tokensOf(text(500)), tokensOf(text(1_000))];
    const numbers = (all: typeof tokens) => {
      for (let at = 0; at < all.length; ) at = wordNumberAt(all, at)?.next ?? at + 1;
    };
    for (const read of [numbers, (all: typeof tokens) => namedDays(all, today)])
      expect(steps(more, read)).toBeLessThanOrEqual(2.2 * steps(tokens, read) + 100);
    const [pieces, twice] = [piecesOf(text(500)), piecesOf(text(1_000))];
    for (const read of [emailsIn, phonesIn])
      expect(steps(twice, read)).toBeLessThanOrEqual(2.2 * steps(pieces, read) + 100);
    expect(steps(more, (all) => namedDays(all, today))).toBeLessThanOrEqual(400 * more.length);
  });

  it("returns only positions inside the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 80 }), (text) => {
        const { length } = plainText(text);
        for (const { from, to } of [...numberMentions(text), ...dateMentions(text, DAY)]) {
          expect(from).toBeGreaterThanOrEqual(0);
          expect(to).toBeGreaterThan(from);
          expect(to).toBeLessThanOrEqual(length);
        }
        emailsIn(piecesOf(text));
        phonesIn(piecesOf(text));
      }),
      runs,
    );
  });
});
