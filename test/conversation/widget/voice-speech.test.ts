import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseVoice } from "../../../src/browser/widget/voice/choose-voice.ts";
import { Speech } from "../../../src/browser/widget/voice/speech.ts";
import { Restarts } from "../../../src/browser/widget/voice/trouble.ts";

/** Speaks everything there is; gives what was said. */
function speakAll(speech: Speech, now = 0): string[] {
  const said: string[] = [];
  for (let next = speech.next(); next; next = speech.next()) {
    said.push(next.text);
    speech.ended(now);
  }
  return said;
}

describe("what the agent says", () => {
  it("begins with the first sentence, before the rest has come", () => {
    const speech = new Speech();
    speech.delta("Your parcel left. It wi", true);
    expect(speakAll(speech)).toEqual(["Your parcel left."]);
    speech.delta("ll come today", true);
    speech.message("Your parcel left. It will come today", true);
    expect(speakAll(speech)).toEqual(["It will come today"]);
  });

  it("is said once, whether it came in pieces or whole", () => {
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

  it("is bounded: what waits too long is read, not said", () => {
    const speech = new Speech();
    speech.message("Yes! ".repeat(500), true);
    expect(speakAll(speech).length).toBe(60);
  });
});

describe("what was heard", () => {
  it("is what was said whole, and of the rest what the voice had come to", () => {
    const speech = new Speech();
    speech.delta("One two. Three four five. Six. ", true);
    speech.next();
    speech.ended(0);
    speech.next();
    speech.reached("Three four ".length);
    expect(speech.cut(0)).toBe("One two. Three four");
    expect(speech.isBusy).toBe(false);
  });

  it("is only whole utterances where the browser does not say how far it is", () => {
    const speech = new Speech();
    speech.message("One two. Three four.", true);
    speech.next();
    expect(speech.cut(0)).toBe("");
  });

  it("is of the newest turn, which is the one that is cut", () => {
    const speech = new Speech();
    speech.message("Let me look.", true);
    speech.next();
    speech.delta("Found it. ", true);
    expect(speech.cut(0)).toBe("");
  });

  it("never is more than was said, whenever the visitor cuts in", () => {
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
        const heard = speech.cut(0);
        expect(whole.startsWith(heard)).toBe(true);
      }),
    );
  });
});

describe("a turn that was cut", () => {
  it("is not gone on with, and the next one is said", () => {
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

  it("is over with the visitor's words", () => {
    const speech = new Speech();
    speech.delta("One. Two", true);
    speech.next();
    speech.cut(0);
    speech.answered();
    speech.delta("Three. ", true);
    expect(speakAll(speech)).toEqual(["Three."]);
  });

  it("does not swallow what the agent says unasked", () => {
    const speech = new Speech();
    speech.delta("One. Two", true);
    speech.next();
    speech.cut(0);
    speech.delta("Are you still there?", true);
    speech.message("Are you still there?", true);
    expect(speakAll(speech)).toEqual(["Are you still there?"]);
  });
});

it("nobody cuts in on words that are locked, and on what follows them they may", () => {
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
  it("begins again at once after a silence, for ever", () => {
    const restarts = new Restarts();
    for (let i = 0; i < 50; i++) expect(restarts.ended("no-speech", 8000)).toBe(0);
  });

  it("begins again ever later where it breaks off at once, and is given up then", () => {
    const restarts = new Restarts();
    expect([1, 2, 3, 4, 5].map(() => restarts.ended("aborted", 10))).toEqual([250, 500, 1000, 2000, "unstable"]);
  });

  it("begins anew with the count where something was heard", () => {
    const restarts = new Restarts();
    for (let i = 0; i < 4; i++) restarts.ended("network", 10);
    restarts.heard();
    expect([1, 2, 3, 4, 5].map(() => restarts.ended("network", 10))).toEqual([250, 500, 1000, 2000, "network"]);
  });

  it.each(["not-allowed", "service-not-allowed", "audio-capture", "language-not-supported"])("stays off: %s", (error) =>
    expect(new Restarts().ended(error, 9000)).toBe(error),
  );

  it("stays off where the browser says what nobody knows", () => {
    expect(new Restarts().ended("bad-grammar", 9000)).toBe("unstable");
    expect(new Restarts().ended("toString", 9000)).toBe("unstable");
  });
});

it("the voice is of the language, of the region if there is one, and of this machine rather than afar", () => {
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
