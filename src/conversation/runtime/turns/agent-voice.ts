import { DEFAULT_MAX_OUTPUT_TOKENS } from "../../../agent/models/output-limit.ts";
import type { SpokenByCarrier } from "../../../phone/calls/call-token.ts";
import { MAX_AMOUNT } from "../../../records/conversations/events.ts";
import type { RequestBudget, TurnBudget } from "../budget/request-budget.ts";
import type { Model } from "../models/model.ts";
import { hasOptedOut } from "../opt-out.ts";
import type { Outgoing } from "../protocols/protocol.ts";
import { DEFAULT_LANGUAGE, sentencesIn } from "../sentences.ts";
import type { SessionSnapshot } from "../session/session.ts";
import type { ConversationStore } from "../store/conversation-store.ts";
import { type BuiltInActions, isReadIn, offeredTools } from "./built-in-tools.ts";
import { historyOf } from "./history.ts";
import { factsOf, instructionsOf } from "./instructions.ts";
import { type SpokenPartOf, spokenPart } from "./spoken-part.ts";
import { skipTool, type ToolUseContext, useTool } from "./tool-use.ts";
import { AgentTurn, BUDGET, type TurnDependencies } from "./turn-loop.ts";
import { speakingTime } from "./waiting.ts";

export interface VoiceDependencies {
  store: ConversationStore;
  /** Sends to the client in its protocol's frames. */
  send(outgoing: Outgoing): void;
  model(): Promise<Model>;
  actions: BuiltInActions;
  platform: ToolUseContext["platform"];
  budget: TurnBudget & Pick<RequestBudget, "allowsTurn">;
  /** Sets the alarm again after something changed that it depends on. */
  arm(): Promise<void>;
  /** Ends the conversation. */
  end(reason: string): Promise<void>;
  /** An answer is over, whatever became of it. */
  turnEnded(): void;
  report(error: unknown): void;
  now(): number;
}

/** What the agent says: the answer being spoken, and fixed phrases that need no model. */
export class AgentVoice {
  readonly #deps: VoiceDependencies;
  readonly #sentences = sentencesIn(DEFAULT_LANGUAGE);
  #turn: AgentTurn | null = null;
  /** Estimated end of the last words, ms. */
  #spokenAt = 0;
  /** Whether a budget was reached while an answer was under way, which is the last. */
  #isLeaving = false;

  constructor(deps: VoiceDependencies) {
    this.#deps = deps;
  }

  /** Whether an answer is being prepared or spoken. */
  get busy(): boolean {
    return this.#turn !== null;
  }

  /** Estimated time until all words are spoken, ms. */
  get remainingMs(): number {
    return this.#spokenAt - this.#deps.now();
  }

  /** Interrupts the answer; its end is still handled. */
  interrupt(): void {
    this.#turn?.interrupt();
  }

  /** Stops the answer without handling its end. */
  stop(): void {
    this.#turn?.interrupt();
    this.#turn = null;
  }

  /** Speaks the greeting, unless the carrier has, or resumes after a broken connection. */
  begin({ announced, greeted }: SpokenByCarrier): Promise<void> | void {
    const { store, now } = this.#deps;
    if (store.existing.machine === 1) return;
    const last = store.events.findLast(({ type }) => type !== "usage" && type !== "latency");
    if (!last) {
      const { announcement } = store.session;
      if (announced && announcement) store.append({ type: "agent_turn", text: announcement }, now());
      return this.#greet(greeted);
    }
    if (last.type === "agent_turn") {
      if (last.interrupted) this.#say(this.#sentences.resumed, true);
      // A caller who waits for a tool's result gets it.
      if (historyOf(store.events).some((one) => one.role === "tool" && one.isRunning)) return this.answer(null);
      return this.#quietAfter("");
    }
    if (last.type === "disposition" || last.type === "opt_out") return this.#quietAfter("");
    return this.answer(null);
  }

  #greet(greeted: boolean): void {
    const { store, now } = this.#deps;
    const { greeting_message, greeting_mode } = store.session.snapshot.agent;
    const greeting = greeting_message.trim();
    if (greeting !== "" && greeted) store.append({ type: "agent_turn", text: greeting }, now());
    else if (greeting !== "") this.#say(greeting, greeting_mode === "interruptible");
    this.#quietAfter(greeting);
  }

  /** Prompts the caller after a long silence. */
  askWhetherThere(): void {
    this.#deps.store.update({ asked_whether_there: 1 });
    const { silence } = this.#sentences;
    this.#say(silence, true);
    this.#quietAfter(silence);
  }

  /** Handles a barge-in; `claimed` is the part of the turn that the client reports as heard. */
  async interruptedBy(claimed: string | undefined): Promise<void> {
    if (this.#isLocked) return;
    const { store, now, arm } = this.#deps;
    const { kind } = store.session.snapshot;
    const spokenPartOf: SpokenPartOf = (sent, at) => spokenPart(sent, { claimed, kind, elapsedMs: now() - at });
    // Nothing of an answer that has not begun was heard, so it is still sent.
    const isToCome = this.#turn !== null && !this.#turn.hasSpoken;
    const wasSpeaking = !isToCome && (this.#turn?.interrupt(spokenPartOf) ?? false);
    // A turn that was sent in full may not have been spoken in full yet.
    if (!wasSpeaking) store.cutLastTurn(spokenPartOf);
    if (isToCome) return;
    store.update({ quiet_since: now() });
    await arm();
  }

  /** Whether only the greeting was said so far, and must finish (`greeting_mode`). */
  get #isLocked(): boolean {
    const { snapshot, announcement } = this.#deps.store.session;
    const { greeting_mode, greeting_message } = snapshot.agent;
    if (greeting_mode !== "locked") return false;
    const fixed = [announcement, greeting_message.trim()];
    return this.#deps.store.events.every((event) =>
      event.type === "agent_turn" ? fixed.includes(event.text) : event.type !== "user_turn",
    );
  }

  /** Takes its leave because a budget is reached; an answer under way is finished first. */
  async leaveForBudget(): Promise<void> {
    this.#isLeaving = true;
    if (this.#turn === null) await this.#leave();
  }

  async #leave(): Promise<void> {
    this.#isLeaving = false;
    this.#say(this.#sentences.budget, false);
    await this.#deps.end(BUDGET);
  }

  /** Answers the user's turn, which ended at `saidAt` (ms); null if the agent speaks unprompted. */
  async answer(userTurnEndedAt: number | null): Promise<void> {
    const { store, send, budget, report, end, turnEnded, arm } = this.#deps;
    if (!budget.allowsTurn) return this.#leave();
    const answer = new AgentTurn(this.#turnDependencies(), userTurnEndedAt);
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
    if (ending.next === "end") return end(ending.reason);
    if (this.#isLeaving) return this.#leave();
    if (ending.next === "silent") send({ type: "listening" });
    const isCall = store.session.snapshot.kind === "call";
    if (ending.next === "failed" && isCall) return end("model_failed");
    // Nobody stays on the line with an agent that may not answer.
    if (ending.next === "uncovered" && isCall) return end(BUDGET);
    // The last words started the silence timer, unless a tool ran after them.
    if (store.existing.quiet_since === null) this.#quietAfter("");
    await arm();
  }

  #turnDependencies(): TurnDependencies {
    const { store, send, actions, platform, model, budget, report, now } = this.#deps;
    const { snapshot } = store.session;
    const notice: ToolUseContext["notice"] = (name, state) => send({ type: "tool", name, state });
    return {
      model,
      report,
      now,
      pause: (ms) => scheduler.wait(ms),
      system: instructionsOf(snapshot),
      facts: factsOf(snapshot, hasOptedOut(store)),
      tools: offeredTools(snapshot),
      sentences: this.#sentences,
      max_output_tokens: maxOutputOf(snapshot),
      budget,
      filler: snapshot.kind === "call" ? this.#sentences.filler : null,
      history: () => historyOf(store.events),
      say: (words) => send({ type: "words", ...words, interruptible: true }),
      speaking: (text, at) => store.setOpenTurn({ text, at }),
      spoken: ({ interrupted, ...turn }, at) => {
        const { text } = turn;
        store.closeTurn({ type: "agent_turn", ...turn, ...(interrupted && { interrupted }) }, at);
        // In the same write, because every write delays the conversation.
        if (store.row?.ended_at === null) this.#quietAfter(interrupted ? "" : text);
        store.flush();
      },
      latency: (ms) => store.append({ type: "latency", ms: Math.max(0, ms) }, now()),
      usage: ({ input_tokens, cached_tokens, output_tokens }, times) =>
        store.append(
          {
            type: "usage",
            input_tokens: amount(input_tokens),
            cached_tokens: amount(cached_tokens),
            output_tokens: amount(output_tokens),
            ...times,
          },
          now(),
        ),
      failed: (times) => store.append({ type: "usage", ...times, failed: true }, now()),
      isRead: (name) => isReadIn(snapshot, name),
      use: (call) => useTool({ store, actions, platform, now, notice }, call),
      skip: (call, reason) => skipTool({ store, now }, call, reason),
      nextResult: () => platform.nextEnd(),
    };
  }

  /** Speaks fixed words: sent at once, and recorded before the turn ends. */
  #say(whole: string, interruptible: boolean): void {
    const { store, send, now } = this.#deps;
    send({ type: "words", text: whole, last: false, whole, interruptible });
    store.append({ type: "agent_turn", text: whole }, now());
    store.flush();
    send({ type: "words", text: "", last: true, whole, interruptible });
  }

  #quietAfter(text: string): void {
    const { store, now } = this.#deps;
    this.#spokenAt = now() + speakingTime(text, store.session.snapshot.kind);
    store.update({ quiet_since: this.#spokenAt });
  }
}

/** The most tokens of one answer; sessions that began before agents had this limit were frozen without it. */
export function maxOutputOf({ agent }: SessionSnapshot): number {
  return agent.max_output_tokens ?? DEFAULT_MAX_OUTPUT_TOKENS;
}

/** A token count reported by a model's server; 0 if it is invalid. */
function amount(reported: number): number {
  return Number.isSafeInteger(reported) && reported >= 0 ? Math.min(reported, MAX_AMOUNT) : 0;
}
