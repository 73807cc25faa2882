import { z } from "zod";
import { beginningOf, type Line, type Person } from "./sandbox-people.ts";

/** Timeout for the agent's answer or greeting on a new connection, ms. */
export const ANSWER_WITHIN_MS = 2_000;
export const GREETING_WITHIN_MS = 4_000;
/** Time to speak a character, ms: about 150 words a minute. */
const SPEECH_MS_PER_CHAR = 65;

/** A caller's progress: the lines said, and whether the agent has answered the last one (or greeted, if none). */
export interface Progress {
  spoken: number;
  answered: boolean;
}

export interface CallerDependencies {
  /** Sends the runtime a frame of ConversationRelay. */
  send(frame: Record<string, unknown>): void;
  /** Called when the conversation has ended, on either side. */
  over(): void;
  /** Calls back once; the returned function cancels it. */
  after(ms: number, then: () => void): () => void;
  /** Saves the caller's progress before the next frame is sent. */
  keep(progress: Progress): void;
}

const words = z.object({
  type: z.literal("text"),
  token: z.string(),
  last: z.boolean().default(false),
  interruptible: z.union([z.boolean(), z.string()]).optional(),
});
type Words = z.output<typeof words>;
const frame = z.discriminatedUnion("type", [
  words,
  z.object({ type: z.literal("language"), transcriptionLanguage: z.string() }),
  z.object({ type: z.literal("end") }),
]);

/** Who calls, how long they think before they speak, ms, and the language (BCP 47) in which they are recognized. */
export interface CallerRole {
  person: Person;
  pauseMs: number;
  language: string;
}

/**
 * A simulated caller, as a carrier presents one to a runtime over one connection: what they hear and when they speak.
 * After a reconnection the caller continues where they were.
 */
export class SandboxCaller {
  readonly #do: CallerDependencies;
  readonly #person: Person;
  readonly #pauseMs: number;
  /** The language in which the caller is recognized (BCP 47). */
  #language: string;
  #progress: Progress;
  #phase: "listening" | "about to speak" | "interrupting" | "gone" = "listening";
  /** The agent's answer so far. */
  #agentWords = "";
  #cancel = () => {};

  constructor(dependencies: CallerDependencies, { person, pauseMs, language }: CallerRole, progress: Progress) {
    this.#do = dependencies;
    this.#person = person;
    this.#progress = progress;
    this.#pauseMs = pauseMs;
    this.#language = language;
  }

  /** Introduces the caller to the connected runtime. */
  start(setup: Record<string, unknown>): void {
    this.#do.send({ type: "setup", ...setup });
    const { spoken, answered } = this.#progress;
    if (answered) this.#thinkAbout();
    else this.#wait(spoken === 0 ? GREETING_WITHIN_MS : ANSWER_WITHIN_MS, () => this.#unanswered());
  }

  /** Handles a frame of the runtime and ignores anything else. */
  receive(text: string): void {
    const parsed = frame.safeParse(jsonOf(text));
    if (!parsed.success || this.#phase === "gone") return;
    if (parsed.data.type === "end") this.#leave();
    else if (parsed.data.type === "language") this.#language = parsed.data.transcriptionLanguage;
    // A caller who interrupts does not hear words that are still on their way.
    else if (this.#phase !== "interrupting") this.#receiveWords(parsed.data);
  }

  stop(): void {
    this.#phase = "gone";
    this.#cancel();
  }

  #receiveWords({ token, last, interruptible }: Words): void {
    this.#cancel();
    this.#phase = "listening";
    this.#agentWords += token;
    const cutOff = interruptible === false || interruptible === "none" ? null : this.#cutOff();
    if (cutOff !== null) this.#interrupt(cutOff);
    else if (last) {
      this.#answered();
      this.#thinkAbout();
    }
  }

  get #next(): Line | undefined {
    return this.#person.lines[this.#progress.spoken];
  }

  #cutOff(): string | null {
    const words = this.#next?.interruptsAfterWords;
    return words === undefined ? null : beginningOf(words, this.#agentWords);
  }

  #interrupt(utteranceUntilInterrupt: string): void {
    const durationUntilInterruptMs = utteranceUntilInterrupt.length * SPEECH_MS_PER_CHAR;
    this.#do.send({ type: "interrupt", utteranceUntilInterrupt, durationUntilInterruptMs });
    this.#answered();
    this.#thinkAbout();
    this.#phase = "interrupting";
  }

  #answered(): void {
    this.#agentWords = "";
    if (this.#progress.answered) return;
    this.#progress = { spoken: this.#progress.spoken, answered: true };
    this.#do.keep(this.#progress);
  }

  #thinkAbout(): void {
    this.#phase = "about to speak";
    this.#wait(this.#pauseMs * (this.#next?.pauses ?? 1), () => this.#speak());
  }

  #speak(): void {
    const line = this.#next;
    if (line) {
      this.#progress = { spoken: this.#progress.spoken + 1, answered: false };
      this.#do.keep(this.#progress);
      this.#sendLine(line);
    } else if (this.#person.lines.length > 0) this.#leave();
    else this.#phase = "listening";
  }

  /** Handles silence on a new connection: the line was lost, or the agent has no greeting. */
  #unanswered(): void {
    const line = this.#person.lines[this.#progress.spoken - 1];
    if (line) this.#sendLine(line);
    else this.#speak();
  }

  #sendLine({ says }: Line): void {
    this.#phase = "listening";
    this.#agentWords = "";
    this.#do.send({ type: "prompt", voicePrompt: says, lang: this.#language, last: true });
  }

  #leave(): void {
    this.stop();
    this.#do.over();
  }

  #wait(ms: number, then: () => void): void {
    this.#cancel();
    this.#cancel = this.#do.after(ms, then);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
