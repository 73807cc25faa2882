import { MAX_AMOUNT } from "../../../records/conversations/events.ts";
import type { Model } from "../models/model.ts";
import type { Outgoing } from "../protocols/protocol.ts";
import type { ConversationStore } from "../store/conversation-store.ts";
import { type BuiltInActions, offeredTools } from "./built-in-tools.ts";
import { historyOf } from "./history.ts";
import { instructionsOf } from "./instructions.ts";
import { type ToolUseContext, useTool } from "./tool-use.ts";
import { Answer, type TurnDependencies } from "./turn-loop.ts";
import { speakingTime } from "./waiting.ts";

export interface VoiceDependencies {
  store: ConversationStore;
  /** Sends to the client, in its own frames. */
  send(outgoing: Outgoing): void;
  model(): Promise<Model>;
  actions: BuiltInActions;
  platform: ToolUseContext["platform"];
  /** Something changed that somebody may wait for: the alarm is to be set anew. */
  arm(): Promise<void>;
  /** The conversation is over. */
  end(reason: string): Promise<void>;
  report(error: unknown): void;
  now(): number;
}

const ONE_MOMENT = "One moment, please.";
const STILL_THERE = "Are you still there?";
const LINE_DROPPED = "Sorry, the line dropped for a moment. I am back.";

/** What the agent says: the answer that is being spoken, and the words that need no model. */
export class AgentVoice {
  readonly #deps: VoiceDependencies;
  #answer: Answer | null = null;
  /** When (ms) the last words have been spoken, as far as that can be told. */
  #spokenAt = 0;

  constructor(deps: VoiceDependencies) {
    this.#deps = deps;
  }

  /** Whether the agent is about to say something, or is saying it. */
  get busy(): boolean {
    return this.#answer !== null;
  }

  /** How long it takes until all words are spoken, ms. */
  get remainingMs(): number {
    return this.#spokenAt - this.#deps.now();
  }

  /** Interrupts the answer, whose ending is still taken care of. */
  interrupt(): void {
    this.#answer?.interrupt();
  }

  /** Stops whatever is being said, for good. */
  stop(): void {
    this.#answer?.interrupt();
    this.#answer = null;
  }

  /** The first words, or after a break whatever was left unsaid. */
  begin(greeted: boolean, announced: string | undefined): Promise<void> | void {
    const { store, now } = this.#deps;
    if (store.known.machine === 1) return;
    const last = store.events.findLast(({ type }) => type !== "usage" && type !== "latency");
    if (!last) {
      if (announced) store.append({ type: "agent_turn", text: announced }, now());
      return this.#greet(greeted);
    }
    if (last.type === "agent_turn") {
      if (last.interrupted) this.#say(LINE_DROPPED, true);
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

  /** Nobody has said anything for long. */
  askWhetherThere(): void {
    this.#deps.store.update({ asked_whether_there: 1 });
    this.#say(STILL_THERE, true);
    this.#quietAfter(STILL_THERE);
  }

  /** The client interrupts the agent; `heard` is what of its words was heard, where that is known. */
  async interruptedBy(heard: string | undefined): Promise<void> {
    const { store, now, arm } = this.#deps;
    // Of an answer that has not begun nothing can have been heard: it is still wanted.
    const isToCome = this.#answer !== null && !this.#answer.hasSpoken;
    const wasSpeaking = !isToCome && (this.#answer?.interrupt(heard) ?? false);
    // What was said whole may still be on its way to the ear.
    if (!wasSpeaking) store.cutLastTurn(heard);
    if (isToCome) return;
    store.update({ quiet_since: now() });
    await arm();
  }

  /** Has the agent answer what was said; `saidAt` (ms) is when, null where the agent speaks by itself. */
  async answer(saidAt: number | null): Promise<void> {
    const { store, send, report, end, arm } = this.#deps;
    const answer = new Answer(this.#turnDependencies(), saidAt);
    this.#answer = answer;
    send({ type: "typing" });
    store.update({ quiet_since: null });
    const ending = await answer.run().catch((error: unknown) => {
      report(error);
      return { next: "failed" as const };
    });
    if (this.#answer !== answer) return;
    this.#answer = null;
    if (store.row?.ended_at !== null) return;
    if (ending.next === "end") return end(ending.reason);
    if (ending.next === "silent") send({ type: "listening" });
    if (ending.next === "failed" && store.session.snapshot.kind === "call") return end("model_failed");
    // What was said last has begun the quiet, unless a tool came after it.
    if (store.known.quiet_since === null) this.#quietAfter("");
    await arm();
  }

  #turnDependencies(): TurnDependencies {
    const { store, send, actions, platform, model, report, now } = this.#deps;
    const { snapshot } = store.session;
    const notice: ToolUseContext["notice"] = (name, state) => send({ type: "tool", name, state });
    return {
      model,
      report,
      now,
      pause: (ms) => scheduler.wait(ms),
      system: instructionsOf(snapshot),
      tools: offeredTools(snapshot),
      filler: snapshot.kind === "call" ? ONE_MOMENT : null,
      history: () => historyOf(store.events),
      say: (words) => send({ type: "words", ...words, interruptible: true }),
      speaking: (text, at) => store.setOpenTurn({ text, at }),
      spoken: ({ interrupted, ...turn }, at) => {
        const { text } = turn;
        store.closeTurn({ type: "agent_turn", ...turn, ...(interrupted && { interrupted }) }, at);
        // In the same write: each costs a conversation its turn at the disk.
        if (store.row?.ended_at === null) this.#quietAfter(interrupted ? "" : text);
        store.flush();
      },
      latency: (ms) => store.append({ type: "latency", ms: Math.max(0, ms) }, now()),
      usage: (input_tokens, output_tokens) =>
        store.append(
          { type: "usage", input_tokens: amount(input_tokens), output_tokens: amount(output_tokens) },
          now(),
        ),
      use: (call) => useTool({ store, actions, platform, now, notice }, call),
    };
  }

  /** Says what needs no model: the words leave at once, and are on record before the turn is said to be over. */
  #say(whole: string, interruptible: boolean): void {
    const { store, send, now } = this.#deps;
    send({ type: "words", text: whole, last: false, whole, interruptible });
    store.append({ type: "agent_turn", text: whole }, now());
    store.flush();
    send({ type: "words", text: "", last: true, whole, interruptible });
  }

  #quietAfter(said: string): void {
    const { store, now } = this.#deps;
    this.#spokenAt = now() + speakingTime(said, store.session.snapshot.kind);
    store.update({ quiet_since: this.#spokenAt });
  }
}

/** An amount as a model's server reports it, 0 for what is none. */
function amount(reported: number): number {
  return Number.isSafeInteger(reported) && reported >= 0 ? Math.min(reported, MAX_AMOUNT) : 0;
}
