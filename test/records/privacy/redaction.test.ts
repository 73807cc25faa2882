import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ConversationEvent } from "../../../src/records/conversations/events.ts";
import { redactText, redactTexts } from "../../../src/records/privacy/redaction/redact.ts";
import { redactConversation } from "../../../src/records/privacy/redaction/redact-conversation.ts";
import { redactJson } from "../../../src/records/privacy/redaction/redact-json.ts";
import type { RedactKind } from "../../../src/records/privacy/redaction/spans.ts";
import { card, iban, noCard, noIban, pieces, writing, written } from "./numbers.ts";

const ALL = new Set<RedactKind>(["card", "iban", "email", "phone", "ssn"]);
const redacted = (text: string, kinds: ReadonlySet<RedactKind> = ALL) => redactText(text, kinds);
const place = fc.double({ min: 0, max: 0.999, noNaN: true });

describe("redaction of a text", () => {
  it.each([
    ["my card is 4242 4242 4242 4242, thanks", "my card is [CARD], thanks"],
    ["4242-4242-4242-4242", "[CARD]"],
    ["it is 4242424242424242.", "it is [CARD]."],
    ["amex 3782 822463 10005 please", "amex [CARD] please"],
    ["four two four two, four two four two, four two four two, four two four two", "[CARD]"],
    ["five triple five, triple five five, five triple five, double four double four", "[CARD]"],
    ["forty two forty two forty two forty two forty two forty two forty two forty two", "[CARD]"],
    ["exp 12 26 4242 4242 4242 4242", "exp 12 26 [CARD]"],
    ["٤٢٤٢ ٤٢٤٢ ٤٢٤٢ ٤٢٤٢", "[CARD]"],
    ["pay to DE89 3704 0044 0532 0130 00 today", "pay to [IBAN] today"],
    ["de89370400440532013000", "[IBAN]"],
    [
      "D E eight nine three seven zero four zero zero four four zero five three two zero one three zero zero zero",
      "[IBAN]",
    ],
    ["GB29NWBK60161331926819", "[IBAN]"],
    ["write to ada.lovelace+x@mail.example.co.uk now", "write to [EMAIL] now"],
    ["call +1 202 555 0143 or (303) 555-0110", "call [PHONE] or [PHONE]"],
    ["two oh two five five five oh one four three", "[PHONE]"],
    ["+49 30 901820", "[PHONE]"],
    ["my social is 078-05-1120", "my social is [SSN]"],
    ["one two three, four five, six seven eight nine", "[SSN]"],
  ])("redaction turns “%s” into “%s”", (text, expected) => {
    expect(redacted(text)).toBe(expected);
  });

  it.each([
    "order 4242 4242 4242 4243",
    "the 16 digits 4242424242424241",
    "DE89 3704 0044 0532 0130 01",
    "2026-11-21 09:30:04",
    "000-12-3456, 666-12-3456, 900-12-3456, 123-00-4567, 123-45-0000",
    "0000 0000 0000 0000",
    "I am 42, and it is no bother; at ten or half past two",
    "ada@localhost, @example.com",
    "+999 123456789",
    "room 1701, floor 3",
    "+1 202",
  ])("redaction leaves alone: %s", (text) => {
    expect(redacted(text)).toBe(text);
  });

  it("replaces only the requested kinds", () => {
    const text = "4242 4242 4242 4242, DE89 3704 0044 0532 0130 00, a@b.example, +1 202 555 0143, 078-05-1120";
    for (const kind of ALL) {
      const marks = redacted(text, new Set([kind])).match(/\[[A-Z]+\]/g);
      expect(marks, kind).toEqual([`[${kind.toUpperCase()}]`]);
    }
    expect(redacted(text, new Set())).toBe(text);
  });

  it("replaces any of 2,000 card numbers and IBANs however they are written, and none of their look-alikes", () => {
    fc.assert(
      fc.property(fc.oneof(card, iban), writing, (number, how) => {
        const mark = redacted(`It is ${written(number, how)}, you see.`, new Set(["card", "iban"]));
        expect(mark).toMatch(/^It is \[(CARD|IBAN)\], you see\.$/);
      }),
      { numRuns: 2_000 },
    );
    fc.assert(
      fc.property(fc.oneof(noCard, noIban), writing, (number, how) => {
        const text = `It is ${written(number, how)}, you see.`;
        expect(redacted(text, new Set(["card", "iban"]))).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  it("takes time proportional to the length of any text", () => {
    for (const one of ["1", "1 ", "one ", "a@", "DE89", "a.", "+", "- "])
      expect(redacted(one.repeat(20_000 / one.length))).not.toBe("");
  });
});

describe("redaction over consecutive texts", () => {
  it("finds 2,000 numbers that are spread over several, and leaves look-alikes unchanged", () => {
    const spread = fc.tuple(writing, fc.array(place, { minLength: 1, maxLength: 2 }));
    fc.assert(
      fc.property(fc.oneof(card, iban), spread, (number, [how, places]) => {
        const parts = pieces(written(number, how), places);
        const texts = ["Sure.", ...parts, "That is all."];
        const out = redactTexts(texts, new Set(["card", "iban"])).texts;
        expect(
          out
            .slice(1, -1)
            .join("")
            .replaceAll(/\[CARD\]|\[IBAN\]/g, "")
            .trim(),
        ).toBe("");
      }),
      { numRuns: 2_000 },
    );
    fc.assert(
      fc.property(noCard, writing, place, (number, how, at) => {
        const texts = ["Sure.", ...pieces(written(number, how), [at]), "That is all."];
        expect(redactTexts(texts, new Set(["card"])).texts).toEqual(texts);
      }),
      { numRuns: 2_000 },
    );
  });

  it("never counts as settled what a later text causes to be hidden", () => {
    const filler = fc.constantFrom("Sure.", "I am 42", "it is", "room 7, then", "a@b", "DE", "", "4", "four two");
    const spoken = fc.array(
      fc.oneof(
        filler,
        fc.tuple(card, writing, place).map(([n, how, at]) => pieces(written(n, how), [at])),
      ),
      {
        maxLength: 6,
      },
    );
    fc.assert(
      fc.property(spoken, (given) => {
        const texts = given.flat();
        const whole = redactTexts(texts, ALL).texts;
        for (let seen = 0; seen <= texts.length; seen++) {
          const early = redactTexts(texts.slice(0, seen), ALL);
          expect(early.texts.slice(0, early.settled)).toEqual(whole.slice(0, early.settled));
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("settles text at once that cannot become a number or address", () => {
    const settled = (...texts: string[]) => redactTexts(texts, ALL).settled;
    expect([
      settled("Hello."),
      settled("At ten o'clock, is that it"),
      settled("my card is"),
      settled("42 4242"),
    ]).toEqual([1, 1, 1, 0]);
    expect([settled("Hi.", "it is 42", "or so"), settled("Hi.", "it is 42"), settled("Hi.", "DE89 3704")]).toEqual([
      3, 1, 1,
    ]);
  });
});

describe("redaction of JSON", () => {
  it("covers fields, lists and numbers, and leaves times and everything else", () => {
    const value = {
      card: 4242424242424242,
      parts: ["4242", "4242", "4242", "4242"],
      at: 1763700000005,
      n: null,
      ok: true,
    };
    expect(redactJson({ a: [value], "x@y.example": "078-05-1120" }, ALL)).toEqual({
      a: [{ card: "[CARD]", parts: ["[CARD]", "[CARD]", "[CARD]", "[CARD]"], at: 1763700000005, n: null, ok: true }],
      "[EMAIL]": "[SSN]",
    });
  });
});

const at = (seq: number) => new Date(Date.UTC(2026, 10, 23, 9, 0, seq)).toISOString();
const user = (seq: number, text: string): ConversationEvent => ({ seq, at: at(seq), type: "user_turn", text });
const agent = (seq: number, text: string, heard?: string): ConversationEvent =>
  Object.assign(
    { seq, at: at(seq), type: "agent_turn" as const, text },
    heard === undefined ? null : { interrupted: true, heard },
  );

describe("redaction of a conversation", () => {
  const policy = { storage: "redacted" as const, redact: [...ALL] };
  const shown = (events: ConversationEvent[]) => redactConversation(events, policy);

  it("reads the turns of one speaker as one text, across the other's turns", () => {
    const events = [
      user(1, "4242 4242"),
      agent(2, "go on"),
      user(3, "4242 4242"),
      agent(4, "4242 4242"),
      agent(5, "4242 4241"),
    ];
    expect(shown(events)).toEqual([
      user(1, "[CARD]"),
      agent(2, "go on"),
      user(3, "[CARD]"),
      agent(4, "4242 4242"),
      agent(5, "4242 4241"),
    ]);
  });

  it("orders events by their number, not by their arrival", () => {
    const events = [user(3, "4242 4242"), user(1, "4242 4242")];
    expect(shown(events)).toEqual([user(3, "[CARD]"), user(1, "[CARD]")]);
  });

  it("hides a number that was only partly heard", () => {
    const events = [agent(1, "It is 4242 4242 4242 4242.", "It is 4242 4242"), agent(2, "Your name?", "Your")];
    expect(shown(events)).toEqual([agent(1, "It is [CARD].", "It is [CARD]"), agent(2, "Your name?", "Your")]);
  });

  it("stores no keypad digits, and counts them as a continuation of speech", () => {
    const events = [user(1, "4242 4242 4242"), user(2, "(keypad) 4242"), user(3, "(keypad) 7")];
    expect(shown(events)).toEqual([user(1, "4242 4242 4242"), user(2, "(keypad)"), user(3, "(keypad)")]);
  });

  it("leaves only counts and times if conversations are not stored", () => {
    const ended: ConversationEvent = { seq: 3, at: at(3), type: "ended", reason: "hangup" };
    const events: ConversationEvent[] = [
      user(1, "hi"),
      { seq: 2, at: at(2), type: "disposition", value: "ok", note: "said hi" },
      ended,
    ];
    expect(redactConversation(events, { storage: "metadata", redact: [] })).toEqual([
      { seq: 2, at: at(2), type: "disposition", value: "ok" },
      ended,
    ]);
  });
});
