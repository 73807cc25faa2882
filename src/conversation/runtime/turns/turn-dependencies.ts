import type { Sentences } from "../../../agent/speech/sentences.ts";
import { MAX_AMOUNT } from "../../../records/conversations/events.ts";
import type { RequestBudget, TurnBudget } from "../budget/request-budget.ts";
import type { Model } from "../models/model.ts";
import type { Clock } from "../models/timeouts.ts";
import type { Outgoing } from "../protocols/protocol.ts";
import type { SessionSnapshot } from "../session/session.ts";
import { hasOptedOut } from "../store/opted-out.ts";
import type { SpokenStore } from "../store/talk-store.ts";
import { type BuiltInActions, droppedTools, isReadIn, offeredTools } from "./built-in-tools.ts";
import type { FillerSentence } from "./filler.ts";
import { historyOf } from "./history.ts";
import { instructionsOf } from "./instructions.ts";
import { dataOf } from "./moment.ts";
import type { Playback } from "./playback.ts";
import { skipTool, type ToolUseContext, useTool } from "./tool-use.ts";
import type { TurnDependencies } from "./turn-loop.ts";

export interface VoiceDependencies {
  store: SpokenStore;
  /** Sends to the client in its protocol's frames. */
  send(outgoing: Outgoing): void;
  model(): Promise<Model>;
  actions: Omit<BuiltInActions, "setLanguage">;
  platform: ToolUseContext["platform"];
  budget: TurnBudget & Pick<RequestBudget, "allowsTurn">;
  /** Sets the alarm again after a change that affects it. */
  arm(): Promise<void>;
  end(reason: string): Promise<void>;
  /** Called when an answer is over, whatever its outcome. */
  turnEnded(): void;
  report(error: unknown): void;
  now(): number;
  /** Runs something later; returns a function that cancels it. */
  after: Clock["after"];
}

interface SpeakingVoice {
  sentences(): Sentences;
  playback: Playback;
  heard: TurnDependencies["heard"];
  /** Starts the silence timer at the end of the words. */
  listen(): void;
}

/** Connects one answer of a conversation to its store, its client and its tools. */
export function turnDependencies(
  { store, send, actions: onPlatform, platform, model, budget, report, now, after }: VoiceDependencies,
  { sentences, playback, heard, listen }: SpeakingVoice,
): TurnDependencies {
  const { snapshot } = store.session;
  const actions = Object.assign({}, onPlatform, {
    setLanguage: (language: string) => send({ type: "language", language }),
  });
  const notice: ToolUseContext["notice"] = (name, state) => send({ type: "tool", name, state });
  return {
    model,
    report,
    now,
    isSpoken: snapshot.kind === "call",
    pause: (ms) => new Promise((resolve) => void after(ms, resolve)),
    system: instructionsOf(snapshot),
    facts: dataOf(snapshot, hasOptedOut(store)),
    tools: offeredTools(snapshot, droppedTools(store.events)),
    sentences,
    max_output_tokens: snapshot.agent.max_output_tokens,
    budget,
    filler: fillerOf(snapshot, sentences),
    spokenUntil: () => playback.until,
    after,
    history: () => historyOf(store.events, snapshot),
    say: (words) => {
      if (words.text !== "") playback.push(words.text, now());
      send({ type: "words", ...words, interruptible: true });
    },
    speaking: (text, at) => store.setOpenTurn({ text, at }),
    spoken: ({ interrupted, ...turn }, at) => {
      playback.close(store.closeTurn({ type: "agent_turn", ...turn, ...(interrupted && { interrupted }) }, at));
      // In the same write, because every write delays the conversation.
      if (store.row?.ended_at === null) listen();
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
    failed: (times, dropped_tool) =>
      store.append({ type: "usage", ...times, failed: true, ...(dropped_tool !== null && { dropped_tool }) }, now()),
    heard,
    transferOnFailure: transferOnFailure(snapshot, actions),
    isRead: (name) => isReadIn(snapshot, name),
    use: (call, ready) => useTool({ store, actions, platform, now, notice }, call, ready),
    skip: (call, reason) => skipTool({ store, now }, call, reason),
    nextResult: () => platform.nextEnd(),
  };
}

function transferOnFailure({ kind, agent }: SessionSnapshot, actions: Pick<BuiltInActions, "transfer">) {
  const target = kind === "call" ? agent.transfer_targets.find(({ on_failure }) => on_failure) : undefined;
  return target === undefined ? null : () => actions.transfer(target.label);
}

/** Returns the sentence that fills a call's waits; 0 ms turns it off. */
function fillerOf({ kind, agent }: SessionSnapshot, sentences: () => Sentences): FillerSentence | null {
  const { filler_after_ms: after_ms } = agent;
  return kind === "call" && after_ms > 0 ? { words: () => sentences().filler, after_ms } : null;
}

/** Returns a token count reported by a model's server; 0 if it is invalid. */
function amount(reported: number): number {
  return Number.isSafeInteger(reported) && reported >= 0 ? Math.min(reported, MAX_AMOUNT) : 0;
}
