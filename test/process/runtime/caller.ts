import { setTimeout as sleep } from "node:timers/promises";
import type { KillSwitch } from "./kills.ts";
import { type Frame, Line } from "./line.ts";
import { GREETING, type Reception, type Taken } from "./reception.ts";
import { type Speaker, WISHES } from "./speaker.ts";

/** What the agent says after the line broke during its turn, before the words of a cut turn that were not heard. */
export const LINE_DROPPED = "Sorry, the line dropped for a moment. I am back.";
/** The runtime's close code for a session that has ended. */
const SESSION_ENDED = 4403;
/** How long to wait for a lost answer after reconnecting, ms. Then the words are said again. */
const QUIET_MS = 4_000;
/** The sentences that the agent says without a model. */
const ALONE = [GREETING, LINE_DROPPED, "Are you still there?", "I cannot hear you, so I will end the call. Goodbye."];

/** Checks whether the agent says this without asking a model. */
export const isAlone = (text: string) => ALONE.includes(text) || text.startsWith(`${LINE_DROPPED} `);

/** The caller's words. All of them are unique. */
export interface Sent {
  kind: "sent";
  text: string;
  /** Whether the caller heard an answer to them. */
  answered: boolean;
}
/** Words of the agent that the caller heard. */
export interface HeardWords {
  kind: "heard";
  text: string;
  /** When each piece arrived, by performance.now(). */
  at: number[];
  /** Whether the turn arrived completely. */
  whole: boolean;
}

/**
 * A caller who records what was said. They call, speak, reconnect if the line breaks, and repeat words that were not
 * heard.
 */
export class Caller {
  readonly name: string;
  readonly number: string;
  /** What both sides said, in the order in which the caller saw it. */
  readonly log: (Sent | HeardWords)[] = [];
  /** The reason of the end that the agent's side reported; null if none arrived. */
  ended: string | null = null;
  /** Whether the caller was told that they are on the do-not-call list. */
  optedOut = false;
  lines = 0;
  #call: Taken | null = null;
  #line: Line | null = null;
  #hearing: HeardWords | null = null;
  readonly #do: { reception: Reception; speaker: Speaker; killSwitch: KillSwitch };

  constructor(
    name: string,
    number: string,
    dependencies: { reception: Reception; speaker: Speaker; killSwitch: KillSwitch },
  ) {
    this.name = name;
    this.number = number;
    this.#do = dependencies;
  }

  /** The call, once the service has accepted it. */
  get call(): Taken {
    if (!this.#call) throw new Error(`${this.name} has not called`);
    return this.#call;
  }

  /**
   * Holds a whole conversation: all of these wishes, then the end. A number stands for a question whose answer is
   * interrupted after this many words.
   */
  async talk(wishes: readonly (string | number)[]): Promise<void> {
    this.#call = await this.#do.reception.ring(this.number);
    await this.#connect();
    let over = (await this.#listen(null)) === "over";
    if (!over) this.#do.killSwitch.reached("greeted");
    for (const [n, wish] of wishes.entries()) {
      if (over) break;
      over = await this.#say(n, wish);
    }
    for (let n = wishes.length; !over; n++) over = await this.#say(n, WISHES.end);
    this.#line?.close();
    await this.#do.reception.hangUp(this.call);
  }

  /** Says a wish until it is answered. Returns whether the conversation has ended. */
  async #say(n: number, wish: string | number): Promise<boolean> {
    for (let time = 1; ; time++) {
      const words = typeof wish === "string" ? wish : "tell me about it";
      const sent: Sent = { kind: "sent", text: `${this.name}.${n}.${time}: ${words}`, answered: false };
      this.#cut();
      this.log.push(sent);
      this.#line?.send({ type: "prompt", voicePrompt: sent.text, lang: "en-US", last: true });
      this.#do.killSwitch.reached("prompted");
      const came = await this.#listen(sent, typeof wish === "number" ? wish : undefined);
      if (came !== "unanswered") return came === "over";
    }
  }

  /** Listens until the agent has finished, or has said this many words; then it interrupts. */
  async #listen(sent: Sent | null, interruptAfter?: number): Promise<"answered" | "unanswered" | "over"> {
    let timeoutMs: number | undefined;
    for (;;) {
      const come = (await this.#line?.next(timeoutMs)) ?? "closed";
      if (come === "quiet") return sent === null || sent.answered ? "answered" : "unanswered";
      if (come === "closed") {
        this.#cut();
        if (this.#line?.closedWith === SESSION_ENDED) return "over";
        await this.#connect();
        timeoutMs = QUIET_MS;
        continue;
      }
      timeoutMs = undefined;
      if (come.type === "end") {
        this.ended = (JSON.parse(come.handoffData ?? "{}") as { reason: string }).reason;
        this.#do.killSwitch.reached("ended");
        return "over";
      }
      if (come.type !== "text") continue;
      const words = this.#take(come, sent);
      if (!words) continue;
      const isOver = words.whole && /[.?]$/.test(words.text);
      if (isOver && (sent === null || sent.answered)) return "answered";
      // An agent that resumes after a kill says one of these sentences. It never received the caller's words.
      if (isOver && isAlone(words.text)) return "unanswered";
      if (isOver) timeoutMs = QUIET_MS;
      if (interruptAfter !== undefined && sent?.answered && words.at.length >= interruptAfter) {
        this.#interrupt(words);
        return "answered";
      }
    }
  }

  /** Returns the words that this frame adds; null for words after an interruption. */
  #take({ token = "", last = false }: Frame, sent: Sent | null): HeardWords | null {
    const { killSwitch, speaker } = this.#do;
    const spoken = speaker.spoken.get(token.trim());
    const alone = isAlone(token);
    if (!spoken && !alone && !this.#hearing) return null;
    if (spoken || alone || !this.#hearing) {
      this.#hearing = { kind: "heard", text: "", at: [], whole: false };
      this.log.push(this.#hearing);
    }
    const words = this.#hearing;
    if (token !== "") {
      words.text += token;
      words.at.push(performance.now());
    }
    if (sent && spoken?.to === sent.text) sent.answered = true;
    if (spoken?.afterTool === "opt_out") {
      this.optedOut = true;
      killSwitch.reached("opted out");
    }
    if (spoken) killSwitch.reached("first word");
    else if (!alone && !last) killSwitch.reached("mid-speech");
    if (last) {
      words.whole = true;
      this.#hearing = null;
      if (!isAlone(words.text)) killSwitch.reached("whole");
    }
    return words;
  }

  /** Interrupts the agent. Words that still arrive are ignored. */
  #interrupt(words: HeardWords): void {
    const durationUntilInterruptMs = 1_000;
    this.#line?.send({ type: "interrupt", utteranceUntilInterrupt: words.text, durationUntilInterruptMs });
    this.#do.killSwitch.reached("interrupted");
  }

  /** Ends the words that were being spoken. */
  #cut(): void {
    this.#hearing = null;
  }

  /** Connects as soon as the service responds. */
  async #connect(): Promise<void> {
    const { service } = this.#do.reception;
    for (;;) {
      try {
        if (!(await service.reached())) throw new Error("it was killed meanwhile");
        const { session_token } = this.call;
        this.#line = await Line.open(`${service.url.replace(/^http/, "ws")}/runtime`, { session_token });
        this.lines++;
        return;
      } catch {
        await sleep(50);
      }
    }
  }
}
