/** The reason why listening stopped: an error of the browser's speech recognition, or one of the widget's own. */
export type Trouble =
  | "not-allowed"
  | "service-not-allowed"
  | "audio-capture"
  | "network"
  | "language-not-supported"
  | "unsupported"
  | "unstable";

/** The message for the visitor, and what they can do about it. */
const ADVICE: Record<Trouble, string> = {
  "not-allowed":
    "Your browser does not let this page use the microphone. Allow it in the page's settings, next to its address, and press the microphone again.",
  "service-not-allowed": "Your browser or device does not allow speech recognition. You can type instead.",
  "audio-capture": "No microphone was found. Connect one, and press the microphone again.",
  network: "Listening needs a connection to your browser's speech service. Try again, or type instead.",
  "language-not-supported": "Your browser cannot listen in this page's language. You can type instead.",
  unsupported: "This browser cannot listen; Chrome, Edge and Safari can. You can type instead.",
  unstable: "Listening keeps stopping. Another page may be using the microphone. Try again, or type instead.",
};

/** Errors after which listening continues: the visitor was silent, or another recognizer took over. */
const TRANSIENT = ["no-speech", "aborted"];
/** After this many immediate failures in a row, listening stops for good. */
const MAX_FAILURES = 5;
/** Recognition that listened at least this long, ms, or heard anything, did not fail. */
const LISTENED_MS = 2000;
const FIRST_DELAY_MS = 250;

/** Returns the message for a visitor whose microphone is off because of this trouble. */
export function adviceOn(trouble: Trouble): string {
  return ADVICE[trouble];
}

/** Decides whether and when listening restarts after it ended by itself. */
export class Restarts {
  #failures = 0;

  /** Records that words were recognized. */
  recognized(): void {
    this.#failures = 0;
  }

  /** Returns the delay before listening restarts, ms, or the reason why it must not. */
  ended(error: string | undefined, listenedFor: number): number | Trouble {
    const isTransient = error === undefined || TRANSIENT.includes(error);
    if (!isTransient && error !== "network") return isTrouble(error) ? error : "unstable";
    if (isTransient && listenedFor >= LISTENED_MS) this.#failures = 0;
    else this.#failures++;
    if (this.#failures >= MAX_FAILURES) return error === "network" ? "network" : "unstable";
    return this.#failures === 0 ? 0 : FIRST_DELAY_MS * 2 ** (this.#failures - 1);
  }
}

function isTrouble(error: string): error is Trouble {
  return Object.hasOwn(ADVICE, error);
}
