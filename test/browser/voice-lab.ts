import type { Page } from "playwright-core";
import { onTestFinished } from "vitest";
import type {} from "../../src/browser/widget/voice/listener.ts";

/** Which of the browser's speech features are missing or refused. */
export interface Lab {
  /** The error with which listening ends immediately, each time it begins. */
  error?: string;
  /** Whether `start` throws. */
  throws?: boolean;
  /** A missing feature: recognition, or a microphone for the meter. */
  without?: "recognition" | "microphone";
  /** Whether voices begin and end by themselves, in the time that the words take. */
  speaks?: boolean;
}

interface Bench {
  recognitions: StandIn[];
  spoken: SpeechSynthesisUtterance[];
  cancelled: number;
  tracks: MediaStreamTrack[];
}
interface StandIn {
  state: "new" | "on" | "over";
  lang: string;
  results: { isFinal: boolean; length: 1; 0: { transcript: string } }[];
  give(error?: string): void;
  recognize(text: string, isFinal: boolean): void;
}

/** Puts stand-ins for the browser's speech recognition, synthesis and microphone into the page. */
export async function installLab(page: Page, lab: Lab): Promise<void> {
  const script = await page.addInitScript((lab: Lab) => {
    const bench: Bench = { recognitions: [], spoken: [], cancelled: 0, tracks: [] };
    type Handler = ((event: unknown) => void) | null;
    class Recognition {
      state: StandIn["state"] = "new";
      lang = "";
      continuous = false;
      interimResults = false;
      results: StandIn["results"] = [];
      onstart: Handler = null;
      onresult: Handler = null;
      onerror: Handler = null;
      onend: Handler = null;
      onspeechstart: Handler = null;
      onspeechend: Handler = null;
      start() {
        if (lab.throws) throw new DOMException("already started", "InvalidStateError");
        bench.recognitions.push(this);
        this.state = "on";
        setTimeout(() => (lab.error ? this.give(lab.error) : this.onstart?.({})));
      }
      stop() {
        setTimeout(() => this.give());
      }
      abort() {
        setTimeout(() => this.give("aborted"));
      }
      give(error?: string) {
        if (this.state === "over") return;
        this.state = "over";
        if (error) this.onerror?.({ error });
        this.onend?.({});
      }
      recognize(transcript: string, isFinal: boolean) {
        const at = this.results.findIndex((result) => !result.isFinal);
        const resultIndex = at < 0 ? this.results.length : at;
        this.results[resultIndex] = { isFinal, length: 1, 0: { transcript } };
        this.onresult?.({ results: this.results, resultIndex });
      }
    }
    const synthesis = {
      speaking: false,
      getVoices: () => [],
      resume: () => {},
      cancel() {
        bench.cancelled++;
        const cut = bench.spoken.at(-1);
        setTimeout(() => cut?.onerror?.({ error: "interrupted" } as SpeechSynthesisErrorEvent));
      },
      speak(utterance: SpeechSynthesisUtterance) {
        bench.spoken.push(utterance);
        setTimeout(() => {
          utterance.onstart?.({} as SpeechSynthesisEvent);
          if (lab.speaks) setTimeout(() => utterance.onend?.({} as SpeechSynthesisEvent));
        });
      },
    };
    const recognition = lab.without === "recognition" ? undefined : Recognition;
    const define = (name: string, value: unknown) => Object.defineProperty(window, name, { value, configurable: true });
    if (recognition) {
      define("SpeechRecognition", recognition);
    } else {
      delete window.SpeechRecognition;
      delete window.webkitSpeechRecognition;
    }
    define("speechSynthesis", synthesis);
    define("bench", bench);
    const getUserMedia = async () => {
      if (lab.without === "microphone") throw new DOMException("none", "NotFoundError");
      const context = new AudioContext();
      const tone = context.createOscillator();
      const microphone = context.createMediaStreamDestination();
      tone.connect(microphone);
      tone.start();
      bench.tracks.push(...microphone.stream.getTracks());
      return microphone.stream;
    };
    Object.defineProperty(navigator, "mediaDevices", { value: { getUserMedia }, configurable: true });
  }, lab);
  onTestFinished(() => script.dispose());
}

const bench = "(window.bench)";

/** Controls the stand-ins and reports their calls. */
export function labOf(page: Page) {
  const ask = <T>(what: string) => page.evaluate(`${bench}.${what}`) as Promise<T>;
  return {
    /** Returns the state and language of the last recognition. */
    listening: () => ask<string[]>("recognitions.map(({state}) => state)"),
    lang: () => ask<string>("recognitions.at(-1).lang"),
    /** Makes the visitor speak: interim words, then the final ones. */
    interim: (text: string) => ask(`recognitions.at(-1).recognize(${JSON.stringify(text)}, false)`),
    final: (text: string) => ask(`recognitions.at(-1).recognize(${JSON.stringify(text)}, true)`),
    /** Sends interim and final words at once. Returns how often the voice was interrupted before the last word. */
    inOneBreath: (interim: string, final: string) =>
      page.evaluate(
        `(({ recognitions }) => {
          recognitions.at(-1).recognize(${JSON.stringify(interim)}, false);
          const { cancelled } = window.bench;
          recognitions.at(-1).recognize(${JSON.stringify(final)}, true);
          return cancelled;
        })(${bench})`,
      ),
    /** Ends listening as the browser itself would. */
    ends: (error = "") => ask(`recognitions.at(-1).give(${JSON.stringify(error)})`),
    /** Returns the texts that the agent's voice was told to speak. */
    spoken: () => ask<string[]>("spoken.map(({text}) => text)"),
    spokenIn: () => ask<string[]>("spoken.map(({lang}) => lang)"),
    cancelled: () => ask<number>("cancelled"),
    /** Moves the voice to a character of its text, or to the end. */
    reaches: (charIndex: number) => ask(`spoken.at(-1).onboundary({charIndex: ${charIndex}})`),
    spokenToEnd: () => ask("spoken.at(-1).onend({})"),
    /** Returns the states of the opened microphones. */
    tracks: () => ask<string[]>("tracks.map(({readyState}) => readyState)"),
  };
}
