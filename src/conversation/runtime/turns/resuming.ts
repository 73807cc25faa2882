import type { ConversationEvent } from "../../../records/conversations/events.ts";

/** A recorded turn of the agent; `at` is when (ms) its first words were sent. */
interface SaidTurn {
  seq: number;
  text: string;
  at: number;
  interrupted: boolean;
  /** The heard part; null if unknown. */
  heard: string | null;
}

/** Returns the agent's turns since the other side last spoke, in order. */
export function turnsSinceUser(events: readonly ConversationEvent[]): SaidTurn[] {
  const ordered = events.toSorted((a, b) => a.seq - b.seq);
  const from = ordered.findLastIndex(({ type }) => type === "user_turn") + 1;
  return ordered.slice(from).flatMap((event): SaidTurn[] => {
    if (event.type !== "agent_turn") return [];
    const { seq, text, at, interrupted = false, heard = null } = event;
    return [{ seq, text, at: Date.parse(at), interrupted, heard }];
  });
}

/**
 * Returns the words that a broken connection cut off: "" if it is unknown which words, null if there are none. A
 * resumed turn begins with the sentence `resumed` and replaces the turn that it resumes.
 */
export function restOf(events: readonly ConversationEvent[], resumed: string): string | null {
  const turns = turnsSinceUser(events);
  const cut = turns.slice(turns.findLastIndex(({ interrupted }) => !interrupted) + 1);
  if (cut.length === 0) return null;
  const from = Math.max(
    0,
    cut.findLastIndex(({ text }) => text.startsWith(resumed)),
  );
  const parts = cut.slice(from).map(({ text, heard }) => {
    const begins = text.startsWith(resumed) ? resumed.length : 0;
    return heard === null ? "" : text.slice(Math.max(heard.length, begins)).trim();
  });
  return parts.filter((part) => part !== "").join(" ");
}
