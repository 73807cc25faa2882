import type { Body } from "../../api/client.ts";

type Turn = Body<"ConversationTurn">;

/** Milliseconds from `since` to `at`; what came before it by another's clock counts as the beginning. */
export function sinceThen(since: string, at: string): number {
  return Math.max(0, Date.parse(at) - Date.parse(since));
}

/** The place in a recording where each turn was noted, s, which is never behind its end. */
export function placesOf(turns: Turn[], recordedFrom: string, duration: number): number[] {
  return turns.map(({ at }) => Math.min(sinceThen(recordedFrom, at) / 1000, Math.max(0, duration)));
}

/** Which of the places, in their order, is the last that was come to; -1 before the first. */
export function lastReached(places: number[], time: number): number {
  return places.findLastIndex((place) => place <= time);
}

/** How long the other side waited for an answer, by the number of the answer's turn, ms. */
export function waitsOf(turns: Turn[]): Map<number, number> {
  const waits = new Map<number, number>();
  let asked: string | null = null;
  for (const { role, at, seq } of turns) {
    if (role === "user") asked = at;
    if (role !== "agent" || asked === null) continue;
    waits.set(seq, sinceThen(asked, at));
    asked = null;
  }
  return waits;
}
