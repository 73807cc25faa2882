import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ReadLog, ShownLog } from "../../../src/conversation/runtime/streams/shown-log.ts";
import type { ConversationEvent } from "../../../src/records/conversations/events.ts";
import { redactConversation } from "../../../src/records/privacy/redaction/redact-conversation.ts";
import type { RedactKind } from "../../../src/records/privacy/redaction/spans.ts";
import { noWork, type Work } from "../../../src/records/privacy/redaction/work.ts";
import { card, iban, writing, written } from "./numbers.ts";

const KINDS: RedactKind[] = ["card", "iban", "email", "phone", "ssn"];
const at = (seq: number) => new Date(Date.UTC(2026, 0, 1) + 1_000 * seq).toISOString();

/** Creates a log that grows, and returns what is shown of it. */
function conversation(redact: RedactKind[] = KINDS) {
  const work = noWork();
  const read: ReadLog = { id: "c", policy: { storage: "redacted", redact }, log: [], lastN: 0 };
  const log: { n: number; event: ConversationEvent }[] = [];
  read.log = log;
  const shown = new ShownLog(() => read, work);
  return {
    work,
    shown,
    log,
    append: (event: ConversationEvent) => log.push({ n: ++read.lastN, event }),
    /** Returns what a new instance shows after a crash. */
    again: () => new ShownLog(() => read).events,
    whole: () =>
      redactConversation(
        log.map(({ event }) => event),
        read.policy,
      ),
  };
}

const turn = (seq: number, type: "user_turn" | "agent_turn", text: string): ConversationEvent => ({
  seq,
  at: at(seq),
  type,
  text,
});

const piece = fc.oneof(
  fc.constantFrom(
    ..."0123456789 -.,/()+:DO\n",
    "plus ",
    "+1 202 555 0143",
    "078-05-1120",
    "a@b.example",
    "a@x",
    "x.de",
  ),
  fc.constantFrom("one ", "double oh ", "twenty", "hundred", " and ", "DE89", "D", "GB", "Sure. ", "I am "),
  fc.tuple(fc.oneof(card, iban), writing).map(([number, how]) => written(number, how)),
);
/** No text begins with an @, because an address that begins in the previous text is found only once it continues. */
const words = fc
  .array(piece, { maxLength: 6 })
  .map((pieces) => pieces.join(""))
  .map((text) => (text.startsWith("@") ? ` ${text}` : text));
/** Longer than the context that can affect a text before or after it. */
const long = fc
  .constantFrom("1-2.3(4)", "one two ", "4242,", "Sure. ", "DE89", "double    seven, ", "a@b ")
  .map((one) => one.repeat(3_000 / one.length));
const turns = (text: fc.Arbitrary<string>, maxLength: number) =>
  fc.array(fc.tuple(fc.constantFrom("user_turn" as const, "agent_turn" as const), text), { minLength: 1, maxLength });

/** Checks that nothing is shown while live that the record hides, and that everything is shown at the end. */
function showsWhatTheRecordDoes(said: ["user_turn" | "agent_turn", string][], redact: RedactKind[]): void {
  const { append, shown, again, whole } = conversation(redact);
  const seen: string[] = [];
  const look = () => {
    const { events } = shown;
    for (const event of events) seen[event.seq] ??= JSON.stringify(event);
    expect(events.map((event) => JSON.stringify(event))).toEqual(events.map(({ seq }) => seen[seq]));
  };
  for (const [n, [type, text]] of said.entries()) {
    append(turn(n + 1, type, text));
    look();
    if (said.length < 12) expect(again()).toEqual(shown.events);
  }
  append({ seq: said.length + 1, at: at(said.length + 1), type: "ended", reason: "hangup" });
  look();
  expect(seen.slice(1)).toEqual(whole().map((event) => JSON.stringify(event)));
}

describe("a live conversation that is redacted", () => {
  it("shows each turn as its record will", () => {
    fc.assert(
      fc.property(turns(words, 10), fc.subarray(KINDS), (said, redact) => showsWhatTheRecordDoes(said, redact)),
      { numRuns: 300 },
    );
  });

  it("shows each turn as its record will, however long the turn is", () => {
    fc.assert(
      fc.property(turns(fc.oneof(words, long), 16), fc.subarray(KINDS), (said, redact) =>
        showsWhatTheRecordDoes(said, redact),
      ),
      { numRuns: 12 },
    );
  });

  it.each(["1-2.3(4)", "Sure. ", "4242 ", "a@b "])(
    "a live conversation that is redacted takes no more work for a late turn of %s than for an early one",
    (one) => {
      const { append, shown, work } = conversation();
      const after: Work[] = [];
      for (let seq = 1; seq <= 48; seq++) {
        append(turn(seq, seq % 2 === 0 ? "agent_turn" : "user_turn", one.repeat(1_000 / one.length)));
        expect(shown.lastN).toBeLessThanOrEqual(seq);
        after[seq] = Object.assign({}, work);
      }
      const between = (from: number, to: number, what: keyof Work) =>
        (after[to]?.[what] ?? 0) - (after[from]?.[what] ?? 0);
      for (const what of ["chars", "comparisons", "windows", "groups"] as const)
        expect(between(38, 48, what), what).toBeLessThanOrEqual(1.1 * between(20, 30, what) + 10);
    },
  );

  it("a live conversation is not redacted again if no turn is new", () => {
    const { append, shown, work } = conversation();
    append(turn(1, "user_turn", "my card is 4242 4242 4242 4242"));
    expect(shown.lastN).toBe(0);
    const { chars } = work;
    append({ seq: 2, at: at(2), type: "latency", ms: 5 });
    expect([shown.lastN, work.chars]).toEqual([0, chars]);
  });

  it("hides a number in the heard part of a turn that is cut off after it was shown", () => {
    const { append, shown, log } = conversation();
    const event = turn(1, "agent_turn", "it is 4242 4242 4242 4242, right?");
    append(event);
    expect(shown.events).toMatchObject([{ text: "it is [CARD], right?" }]);
    log.pop();
    append(Object.assign({}, event, { interrupted: true, heard: "it is 4242 42" }));
    expect(shown.after(1, 10)).toMatchObject([
      { n: 2, event: { text: "it is [CARD], right?", heard: "it is [CARD]" } },
    ]);
  });
});
