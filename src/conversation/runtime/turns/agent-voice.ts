import { type Sentences, sentencesOf } from "../../../agent/speech/sentences.ts";
import type { SpokenByCarrier } from "../../../phone/calls/call-token.ts";
import type { ConversationEvent } from "../../../records/conversations/events.ts";
import { disclosedIn, isDisclosure } from "../disclosed.ts";
import type { SessionSnapshot } from "../session/session.ts";
import { historyOf } from "./history.ts";
import { type Pace, Playback } from "./playback.ts";
import { restOf, turnsSinceUser } from "./resuming.ts";
import { languageNow } from "./spoken-language.ts";
import { turnDependencies, type VoiceDependencies } from "./turn-dependencies.ts";
import { AgentTurn, BUDGET } from "./turn-loop.ts";

/** Why a conversation is over that reached its maximum duration. */
const MAX_DURATION = "max_duration";

/** How long a person may pause between partial words, ms. */
const PARTIAL_WORDS_MS = 3_000;

/** Events that are not part of the conversation itself: what follows depends on the event before them. */
const NOTES: ReadonlySet<ConversationEvent["type"]> = new Set(["usage", "latency", "disposition", "opt_out"]);

/** An end that waits until the last words have been heard. */
interface Leaving {
  /** Whether the conversation ends even if the caller speaks again. */
  isFinal: boolean;
  stop: AbortController;
}

/** What the agent says: the answer being spoken, and fixed phrases that need no model. */
export class AgentVoice {
  readonly #deps: VoiceDependencies;
  #turn: AgentTurn | null = null;
  #queue: Playback | null = null;
  #leaving: Leaving | null = null;
  /** Until when (ms) the other side is assumed to be speaking. */
  #callerUntil = 0;
  /** Whether a budget was reached during an answer, which is therefore the last one. */
  #isLast = false;

  constructor(deps: VoiceDependencies) {
    this.#deps = deps;
  }

  /** The fixed sentences in the conversation's current language. */
  get #sentences(): Sentences {
    const { session, events } = this.#deps.store;
    const { agent } = session.snapshot;
    return sentencesOf(agent, languageNow(events, agent));
  }

  /** Whether an answer is being prepared, or last words are being spoken. */
  get busy(): boolean {
    return this.#turn !== null || this.#leaving !== null;
  }

  /** Whether the conversation ends after the words being spoken, whatever the other side says. */
  get isLeaving(): boolean {
    return this.#leaving?.isFinal ?? false;
  }

  /** The words that may not have been heard yet. Words sent before a restart are taken from the log. */
  get #playback(): Playback {
    if (this.#queue) return this.#queue;
    const { store } = this.#deps;
    this.#queue = new Playback(() => paceOf(store.session.snapshot));
    this.#queue.resume(turnsSinceUser(store.events).filter(({ interrupted }) => !interrupted));
    return this.#queue;
  }

  /** Stops the answer without handling its end. */
  stop(): void {
    this.#turn?.interrupt();
    this.#turn = null;
    this.#leaving?.stop.abort();
    this.#leaving = null;
  }

  /**
   * Handles a broken connection, or a client that no longer listens: only the words spoken up to now are recorded as
   * heard.
   */
  lost(): void {
    const { store } = this.#deps;
    if (store.row?.ended_at !== null) return;
    const isSpoken = paceOf(store.session.snapshot) === "spoken";
    const isCut = this.#turn?.isSpeaking || isSpoken;
    const keeps = isSpoken ? undefined : this.#isDisclosure;
    this.#cut(isCut ? this.#playback.cut(this.#deps.now(), undefined, keeps) : []);
  }

  /** Speaks the greeting, unless the carrier has spoken it, or resumes after a broken connection. */
  begin({ disclosed = false, announced, greeted }: SpokenByCarrier): Promise<void> | void {
    const { store, now } = this.#deps;
    if (store.existing.machine === 1) return;
    const { snapshot } = store.session;
    const before = store.events.filter((event) => !isDisclosure(event, snapshot));
    const last = before.findLast(({ type }) => !NOTES.has(type));
    if (!last) this.#queue = null;
    this.#disclose(disclosed);
    if (!last) {
      const { announcement } = store.session;
      if (announced && announcement) store.append({ type: "agent_turn", text: announcement }, now());
      return this.#greet(greeted);
    }
    const rest = restOf(before, this.#sentences.resumed);
    if (rest !== null) this.#say(`${this.#sentences.resumed} ${rest}`.trim(), true);
    if (last.type === "agent_turn") {
      // A caller who waits for a tool's result gets it.
      if (historyOf(store.events, store.session.snapshot).some((one) => one.role === "tool" && one.isRunning))
        return this.answer(null);
      return this.#listen();
    }
    return this.answer(null);
  }

  /** Speaks the disclosure, unless the carrier has spoken it or the other side has already heard all of it. */
  #disclose(disclosed: boolean): void {
    const { store, now } = this.#deps;
    const { existing, events, session } = store;
    const { snapshot } = session;
    if (snapshot.disclosure === null) return;
    const { text } = snapshot.disclosure;
    const isOnRecord = events.some((event) => isDisclosure(event, snapshot));
    if (disclosed || snapshot.disclosure.spoken) {
      if (!isOnRecord) store.append({ type: "agent_turn", text }, now());
    } else if (disclosedIn(Object.assign({ snapshot, events }, existing)).disclosed_at === null) this.#say(text, false);
  }

  #greet(greeted: boolean): void {
    const { store, now } = this.#deps;
    const { greeting_message, greeting_mode } = store.session.snapshot.agent;
    const greeting = greeting_message.trim();
    if (greeting !== "" && greeted) {
      this.#playback.push(greeting, now());
      this.#playback.close(store.append({ type: "agent_turn", text: greeting }, now()));
    } else if (greeting !== "") this.#say(greeting, greeting_mode === "interruptible");
    this.#listen();
  }

  /** Prompts the caller after a long silence. */
  askWhetherThere(): void {
    this.#deps.store.update({ prompted_for_silence: 1 });
    this.#say(this.#sentences.silence, true);
    this.#listen();
  }

  /** Handles a barge-in; `claimed` is the part of the words that the client reports as heard. */
  async interruptedBy(claimed: string | undefined): Promise<void> {
    if (this.#isLocked) return;
    const { now, arm } = this.#deps;
    // Nothing of an answer that has not begun was heard, so it is still sent.
    const isToCome = this.#turn !== null && !this.#turn.hasSpoken;
    this.#cut(this.#playback.cut(now(), claimed, this.#isDisclosure), !isToCome);
    if (isToCome) return;
    this.#leaving?.stop.abort();
    if (!this.isLeaving) this.#leaving = null;
    this.#listen();
    await arm();
  }

  /** Records how much of each turn was heard, and stops the answer. */
  #cut(turns: ReturnType<Playback["cut"]>, stops = true): void {
    const { store } = this.#deps;
    for (const { seq, heard } of turns) if (seq !== null) store.cutTurn(seq, heard);
    if (stops) this.#turn?.interrupt(turns.find(({ seq }) => seq === null)?.heard ?? null);
  }

  /**
   * Checks whether a text is the disclosure. It cannot be interrupted: it is cut only if a caller's connection is lost.
   */
  readonly #isDisclosure = (text: string): boolean => text === this.#deps.store.session.snapshot.disclosure?.text;

  /** Whether the agent has so far said only the greeting, which must be finished (`greeting_mode`). */
  get #isLocked(): boolean {
    const { snapshot, announcement } = this.#deps.store.session;
    const { greeting_mode, greeting_message } = snapshot.agent;
    if (greeting_mode !== "locked") return false;
    const fixed = [snapshot.disclosure?.text, announcement, greeting_message.trim()];
    return this.#deps.store.events.every((event) =>
      event.type === "agent_turn" ? fixed.includes(event.text) : event.type !== "user_turn",
    );
  }

  /** Says goodbye because a budget is reached. An answer in progress is finished first. */
  async leaveForBudget(): Promise<void> {
    this.#isLast = true;
    if (this.#turn === null) await this.#leaveForBudget();
  }

  #leaveForBudget(): Promise<void> {
    this.#isLast = false;
    this.#say(this.#sentences.budget, false);
    return this.#leave(BUDGET, true);
  }

  /** Says goodbye at the maximum duration, or to a caller who has fallen silent. */
  async leave(reason: string): Promise<void> {
    const { store } = this.#deps;
    if (this.isLeaving) return;
    const isFinal = reason === MAX_DURATION;
    if (isFinal) this.stop();
    if (isFinal) this.#say(this.#sentences.time_up, false);
    else if (store.session.snapshot.kind === "call") this.#say(this.#sentences.goodbye, true);
    await this.#leave(reason, isFinal);
  }

  /** Ends the conversation once all that was said has been heard. A carrier stops speaking when it gets the end. */
  async #leave(reason: string, isFinal: boolean): Promise<void> {
    const { end, report, now } = this.#deps;
    if (Math.max(this.#playback.until, this.#callerUntil) <= now()) return end(reason);
    const leaving = { isFinal, stop: new AbortController() };
    this.#leaving = leaving;
    this.#heard(leaving.stop.signal)
      .then(async () => {
        if (this.#leaving !== leaving) return;
        this.#leaving = null;
        await end(reason);
      })
      .catch(report);
  }

  /**
   * Records that the other side is speaking and that the complete words will follow. Until then the agent neither asks
   * whether they are there nor hangs up.
   */
  callerSpeaks(): void {
    const { store, now } = this.#deps;
    this.#callerUntil = now() + PARTIAL_WORDS_MS;
    if (store.existing.quiet_since !== null) store.update({ quiet_since: this.#callerUntil, prompted_for_silence: 0 });
  }

  /** Resolves when everything said was heard and the other side is not speaking, or when the signal is aborted. */
  async #heard(signal: AbortSignal): Promise<void> {
    for (;;) {
      const left = Math.max(this.#playback.until, this.#callerUntil) - this.#deps.now();
      if (left <= 0 || signal.aborted) return;
      await this.#wait(left, signal);
    }
  }

  #wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const callOff = this.#deps.after(ms, resolve);
      const stop = () => {
        callOff();
        resolve();
      };
      signal.addEventListener("abort", stop, { once: true });
    });
  }

  /** Answers the user's turn, which ended at `userTurnEndedAt` (ms); null if the agent speaks unprompted. */
  async answer(userTurnEndedAt: number | null): Promise<void> {
    const { store, send, budget, report, turnEnded, arm, now } = this.#deps;
    if (!budget.allowsTurn) return this.#leaveForBudget();
    if (userTurnEndedAt !== null) {
      this.#callerUntil = 0;
      this.#playback.settle(now());
    }
    const answer = new AgentTurn(
      turnDependencies(this.#deps, {
        sentences: () => this.#sentences,
        playback: this.#playback,
        heard: (signal) => this.#heard(signal),
        listen: () => this.#listen(),
      }),
      userTurnEndedAt,
    );
    this.#turn = answer;
    send({ type: "typing" });
    store.update({ quiet_since: null });
    const ending = await answer.run().catch((error: unknown) => {
      report(error);
      return { next: "failed" as const };
    });
    turnEnded();
    if (this.#turn !== answer) return;
    this.#turn = null;
    if (store.row?.ended_at !== null) return;
    if (ending.next === "end") return this.#leave(ending.reason, ending.reason === BUDGET);
    if (this.#isLast) return this.#leaveForBudget();
    if (ending.next === "silent") send({ type: "listening" });
    const isCall = store.session.snapshot.kind === "call";
    if (ending.next === "failed" && isCall) return this.#leave("model_failed", false);
    // The agent may not answer, so the caller is not kept on the line.
    if (ending.next === "uncovered" && isCall) return this.#leave(BUDGET, true);
    // The last words started the silence timer, unless a tool ran after them.
    if (store.existing.quiet_since === null) this.#listen();
    await arm();
  }

  /** Speaks fixed words: sent at once, and recorded before the turn ends. */
  #say(whole: string, interruptible: boolean): void {
    const { store, send, now } = this.#deps;
    send({ type: "words", text: whole, last: false, whole, interruptible });
    this.#playback.push(whole, now());
    this.#playback.close(store.append({ type: "agent_turn", text: whole }, now()));
    store.flush();
    send({ type: "words", text: "", last: true, whole, interruptible });
  }

  /** Starts the silence timer at the end of what was said. */
  #listen(): void {
    this.#deps.store.update({ quiet_since: Math.round(Math.max(this.#deps.now(), this.#playback.until)) });
  }
}

/** Returns how the client presents words. Sandbox calls are read, as chats are. */
function paceOf({ kind, call }: SessionSnapshot): Pace {
  return kind === "call" && call !== null && call.provider !== "sandbox" ? "spoken" : "read";
}
