import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseVoice } from "../../../src/browser/widget/voice/choose-voice.ts";
import { Speech } from "../../../src/browser/widget/voice/speech.ts";
import { Restarts } from "../../../src/browser/widget/voice/trouble.ts";

/** Speaks everything and returns what was said. */
function speakAll(speech: Speech, now = 0): string[] {
  const spokenTexts: string[] = [];
  for (let next = speech.next(); next; next = speech.next()) {
    spokenTexts.push(next.text);
    speech.ended(now);
  }
  return spokenTexts;
}

describe("the agent's speech", () => {
  it("the agent's speech is queued by the parts that its own voice says", () => {
    const speech = new Speech();
    speech.delta("Hello, **I** am", true, null);
    speech.delta(" Ada. ", true, "/one");
    speech.delta("How are you?", true, null);
    speech.message("Hello, **I** am Ada. How are you?", true, "/two");
    expect(speech.addresses).toEqual(["/one", "/two"]);
    expect(speakAll(speech)).toEqual(["Hello, I am Ada.", "How are you?"]);
  });

  it("falls back to the browser's voice for the rest of a turn", () => {
    const speech = new Speech();
    speech.delta("One. ", true, "/one");
    speech.delta("Two. ", true, "/two");
    speech.next();
    speech.fallBack();
    speech.delta("Three. ", true, "/three");
    speech.message("One. Two. Three. ", true, null);
    expect(speech.addresses).toEqual([]);
    expect(speakAll(speech)).toEqual(["One.", "Two.", "Three."]);
    speech.delta("Four.", true, "/four");
    expect(speech.addresses).toEqual(["/four"]);
  });

  it("begins with the first sentence before the rest has arrived", () => {
    const speech = new Speech();
    speech.delta("Your parcel left. It wi", true);
    expect(speakAll(speech)).toEqual(["Your parcel left."]);
    speech.delta("ll come today", true);
    speech.message("Your parcel left. It will come today", true);
    expect(speakAll(speech)).toEqual(["It will come today"]);
  });

  it("a text is spoken once whether it arrives in pieces or as a whole", () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,8}[.?,]?$/), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(words, fc.array(fc.nat(25), { maxLength: 20 }), (all, sizes) => {
        const whole = all.join(" ");
        const speech = new Speech();
        let at = 0;
        for (const size of sizes) {
          if (at < whole.length && size > 0) speech.delta(whole.slice(at, at + size), true);
          at += size;
        }
        speech.message(whole, true);
        expect(speakAll(speech).join(" ")).toBe(whole);
      }),
    );
  });

  it("text beyond the limit of speech is shown without being spoken", () => {
    const speech = new Speech();
    speech.message("Yes! ".repeat(500), true);
    expect(speakAll(speech).length).toBe(60);
  });
});

describe("the spoken part of a cut turn", () => {
  it("the spoken part of a cut turn is the finished utterances and the current one up to the voice's position", () => {
    const speech = new Speech();
    speech.delta("One two. Three four five. Six. ", true);
    speech.next();
    speech.ended(0);
    speech.next();
    speech.reached("Three four ".length);
    expect(speech.cut(0)).toBe("One two. Three four");
    expect(speech.isBusy).toBe(false);
  });

  it("the spoken part of a cut turn is whole utterances if the browser reports no position", () => {
    const speech = new Speech();
    speech.message("One two. Three four.", true);
    speech.next();
    expect(speech.cut(0)).toBe("");
  });

  it("the spoken part of a cut turn is taken from the newest turn", () => {
    const speech = new Speech();
    speech.message("Let me look.", true);
    speech.next();
    speech.delta("Found it. ", true);
    expect(speech.cut(0)).toBe("");
  });

  it("never exceeds the sent words, whenever the visitor cuts in", () => {
    fc.assert(
      fc.property(fc.nat(5), fc.nat(20), (spoken, reached) => {
        const whole = "One two. Three four. Five six. Seven eight. Nine ten.";
        const speech = new Speech();
        speech.message(whole, true);
        for (let i = 0; i < spoken; i++) {
          speech.next();
          speech.ended(0);
        }
        speech.next();
        speech.reached(reached);
        const spokenPart = speech.cut(0);
        expect(whole.startsWith(spokenPart)).toBe(true);
      }),
    );
  });
});

describe("a turn that was cut", () => {
  it("a cut turn is not continued when the next one is spoken", () => {
    const speech = new Speech();
    speech.delta("One. Two", true);
    speech.next();
    speech.cut(0);
    speech.delta(" three. ", true);
    speech.message("One. Two three. ", true);
    expect(speakAll(speech)).toEqual([]);
    speech.delta("Four. ", true);
    expect(speakAll(speech)).toEqual(["Four."]);
  });

  it("ends with the visitor's words", () => {
    const speech = new Speech();
    speech.delta("One. Two", true);
    speech.next();
    speech.cut(0);
    speech.answered();
    speech.delta("Three. ", true);
    expect(speakAll(speech)).toEqual(["Three."]);
  });

  it("does not suppress what the agent says unprompted", () => {
    const speech = new Speech();
    speech.delta("One. Two", true);
    speech.next();
    speech.cut(0);
    speech.delta("Are you still there?", true);
    speech.message("Are you still there?", true);
    expect(speakAll(speech)).toEqual(["Are you still there?"]);
  });
});

it("locked words cannot be interrupted, and the words after them can", () => {
  const speech = new Speech();
  speech.message("We record this.", false);
  speech.message("How are you?", true);
  expect(speech.isLocked).toBe(true);
  speech.next();
  expect(speech.isLocked).toBe(true);
  speech.ended(0);
  expect(speech.isLocked).toBe(false);
});

describe("listening that ends", () => {
  it("restarts at once after a silence, any number of times", () => {
    const restarts = new Restarts();
    for (let i = 0; i < 50; i++) expect(restarts.ended("no-speech", 8000)).toBe(0);
  });

  it("restarts with growing delays if it fails at once, then gives up", () => {
    const restarts = new Restarts();
    expect([1, 2, 3, 4, 5].map(() => restarts.ended("aborted", 10))).toEqual([250, 500, 1000, 2000, "unstable"]);
  });

  it("resets the count once something was recognized", () => {
    const restarts = new Restarts();
    for (let i = 0; i < 4; i++) restarts.ended("network", 10);
    restarts.recognized();
    expect([1, 2, 3, 4, 5].map(() => restarts.ended("network", 10))).toEqual([250, 500, 1000, 2000, "network"]);
  });

  it.each(["not-allowed", "service-not-allowed", "audio-capture", "language-not-supported"])(
    "listening stays off after %s",
    (error) => expect(new Restarts().ended(error, 9000)).toBe(error),
  );

  it("stays off after an unknown error", () => {
    expect(new Restarts().ended("bad-grammar", 9000)).toBe("unstable");
    expect(new Restarts().ended("toString", 9000)).toBe("unstable");
  });
});

it("a voice is chosen by language, preferring the region and a local voice", () => {
  const voice = (lang: string, localService: boolean) => ({ lang, localService });
  const [far, near, british, german] = [
    voice("en-US", false),
    voice("en_US", true),
    voice("en-GB", true),
    voice("de-DE", true),
  ];
  expect(chooseVoice([far, british, german, near], "en-us")).toBe(near);
  expect(chooseVoice([german, british, far], "en-US")).toBe(far);
  expect(chooseVoice([german, british, far], "en")).toBe(british);
  expect(chooseVoice([german], "fr")).toBeUndefined();
});
