import { MAX_AMOUNT } from "../../../records/conversations/events.ts";
import { hasOptedOut } from "../opt-out.ts";
import type { Sentences } from "../sentences.ts";
import { maxOutputOf, type VoiceDependencies } from "./agent-voice.ts";
import { isReadIn, offeredTools } from "./built-in-tools.ts";
import { historyOf } from "./history.ts";
import { factsOf, instructionsOf } from "./instructions.ts";
import type { Playback } from "./playback.ts";
import { skipTool, type ToolUseContext, useTool } from "./tool-use.ts";
import type { TurnDependencies } from "./turn-loop.ts";

/** What an answer needs of the voice that speaks it. */
interface SpeakingVoice {
  sentences: Sentences;
  playback: Playback;
  heard: TurnDependencies["heard"];
  /** Starts the silence timer at the end of what was said. */
  listen(): void;
}

/** Wires one answer of a conversation to its store, its client and its tools. */
export function turnDependencies(
  { store, send, actions, platform, model, budget, report, now, after }: VoiceDependencies,
  { sentences, playback, heard, listen }: SpeakingVoice,
): TurnDependencies {
  const { snapshot } = store.session;
  const notice: ToolUseContext["notice"] = (name, state) => send({ type: "tool", name, state });
  return {
    model,
    report,
    now,
    pause: (ms) => new Promise((resolve) => void after(ms, resolve)),
    system: instructionsOf(snapshot),
    facts: factsOf(snapshot, hasOptedOut(store)),
    tools: offeredTools(snapshot),
    sentences,
    max_output_tokens: maxOutputOf(snapshot),
    budget,
    filler: snapshot.kind === "call" ? sentences.filler : null,
    history: () => historyOf(store.events),
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
    failed: (times) => store.append({ type: "usage", ...times, failed: true }, now()),
    heard,
    isRead: (name) => isReadIn(snapshot, name),
    use: (call, ready) => useTool({ store, actions, platform, now, notice }, call, ready),
    skip: (call, reason) => skipTool({ store, now }, call, reason),
    nextResult: () => platform.nextEnd(),
  };
}

/** A token count reported by a model's server; 0 if it is invalid. */
function amount(reported: number): number {
  return Number.isSafeInteger(reported) && reported >= 0 ? Math.min(reported, MAX_AMOUNT) : 0;
}
