import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Playback } from "../../../src/conversation/runtime/turns/playback.ts";
import { speechTime } from "../../../src/kernel/speech-time.ts";

const unit = fc.constantFrom("a", "Z", " ", ",", "7", "営", "か", "한", "😀", "é");
const text = fc.string({ unit, maxLength: 60 });
/** A turn without words is not sent. */
const words = fc.string({ unit, minLength: 1, maxLength: 60 });
const sent = fc.array(fc.record({ text: words, after: fc.nat(5_000) }), { minLength: 1, maxLength: 8 });

/**
 * Creates a carrier's queue with these turns, each sent this long (ms) after the previous one. Returns it with the time
 * of the last turn.
 */
function queued(turns: { text: string; after: number }[]): { playback: Playback; now: number; ends: number[] } {
  const playback = new Playback(() => "spoken");
  const ends: number[] = [];
  let now = 0;
  turns.forEach((turn, seq) => {
    now += turn.after;
    playback.push(turn.text, now);
    playback.close(seq);
    ends.push(playback.until);
  });
  return { playback, now, ends };
}

describe("the queue of unspoken words", () => {
  it("ends each turn after the one before, and after it was sent", () => {
    fc.assert(
      fc.property(sent, (turns) => {
        const { ends } = queued(turns);
        let [now, before] = [0, 0];
        turns.forEach((turn, at) => {
          now += turn.after;
          before = Math.max(now, before) + speechTime(turn.text);
          expect(ends[at]).toBeCloseTo(before, 5);
        });
      }),
    );
  });

  it("counts only the beginning of what was sent as heard, and nothing after a cut", () => {
    fc.assert(
      fc.property(sent, fc.nat(60_000), fc.option(text, { nil: undefined }), (turns, ms, claimed) => {
        const { playback, now } = queued(turns);
        const cut = playback.cut(now + ms, claimed);
        for (const { text: whole, heard } of cut) expect(whole.startsWith(heard ?? "")).toBe(true);
        for (const { heard } of cut.slice(1)) expect(heard).toBe("");
        expect(cut.map(({ seq }) => seq)).toEqual(turns.map((_, seq) => seq).slice(turns.length - cut.length));
        expect(playback.until).toBe(0);
      }),
    );
  });

  it("never counts more as heard than could have been spoken", () => {
    fc.assert(
      fc.property(sent, fc.nat(60_000), (turns, ms) => {
        const { playback, now } = queued(turns);
        const cut = playback.cut(now + ms, undefined);
        const kept = turns.slice(0, turns.length - cut.length).map((turn) => turn.text);
        const heard = [...kept, ...cut.map((turn) => turn.heard ?? "")].join("");
        expect(speechTime(heard)).toBeLessThanOrEqual(now + ms - (turns[0]?.after ?? 0) + 0.01);
      }),
    );
  });

  it("counts everything as heard once the time for it has passed", () => {
    fc.assert(
      fc.property(sent, (turns) => {
        const { playback } = queued(turns);
        expect(playback.cut(Math.ceil(playback.until), undefined)).toEqual([]);
      }),
    );
  });

  it("finds the words of a client in the turn that was being spoken", () => {
    const { playback } = queued([
      { text: "Yes, of course. ", after: 0 },
      { text: "Yes, it costs ten dollars.", after: 0 },
    ]);
    expect(playback.cut(2_000, "Yes, it costs")).toEqual([
      { seq: 1, text: "Yes, it costs ten dollars.", heard: "Yes, it costs" },
    ]);
  });

  it("finds words that several turns share at the voice's position", () => {
    const turns = [
      { text: "One moment, please.", after: 0 },
      { text: "One moment, please, I am still looking.", after: 0 },
    ];
    expect(
      queued(turns)
        .playback.cut(500, "One moment")
        .map(({ heard }) => heard),
    ).toEqual(["One moment", ""]);
    expect(
      queued(turns)
        .playback.cut(2_500, "One moment")
        .map(({ seq, heard }) => [seq, heard]),
    ).toEqual([[1, "One moment"]]);
  });
});

describe("the time it takes to say something", () => {
  it.each([
    ["English", "We are open from nine to five.", 2.0],
    ["Chinese", "我们从九点营业到五点。", 2.4],
    ["Japanese", "九時から五時まで営業しています。", 2.6],
    ["Korean", "아홉 시부터 다섯 시까지 엽니다.", 3.0],
    ["a phone number", "202 555 0143", 3.4],
  ])("depends on the script: %s", (_, words, seconds) => {
    expect(speechTime(words) / 1000).toBeCloseTo(seconds, 0);
  });
});
