import { describe, expect, it } from "vitest";
import { Keypad } from "../../../src/conversation/runtime/turns/keypad.ts";
import { VirtualClock } from "./voice-support.ts";

function keypad() {
  const clock = new VirtualClock();
  const entries: string[] = [];
  const pad = new Keypad(
    (entry) => entries.push(`${clock.now / 1000} ${entry}`),
    (ms, run) => clock.after(ms, run),
  );
  return { clock, entries, pad };
}

describe("entries on the keypad", () => {
  it("digits that follow each other within 3 s are one entry", async () => {
    const { clock, entries, pad } = keypad();
    for (const digit of ["1", "2", "3"]) {
      pad.press(digit);
      await clock.advance(2_900);
    }
    await clock.advance(5_000);
    expect(entries).toEqual(["8.8 (keypad) 123"]);
  });

  it("pressing # submits an entry at once", async () => {
    const { clock, entries, pad } = keypad();
    pad.press("4");
    await clock.advance(1_000);
    pad.press("2#");
    await clock.advance(10_000);
    expect(entries).toEqual(["1 (keypad) 42"]);
  });

  it("pressing # alone enters #", async () => {
    const { clock, entries, pad } = keypad();
    pad.press("#");
    await clock.advance(10_000);
    expect(entries).toEqual(["3 (keypad) #"]);
  });

  it("can be read before they are complete", async () => {
    const { clock, entries, pad } = keypad();
    pad.press("7");
    expect([pad.take(), pad.take()]).toEqual(["(keypad) 7", null]);
    await clock.advance(10_000);
    expect(entries).toEqual([]);
  });
});
