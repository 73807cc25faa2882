import type { Body } from "../../api/client.ts";
import { LANGUAGE } from "../../texts/format.ts";

type Turn = Body<"ConversationTurn">;

/** Milliseconds from `since` to `at`; anything earlier by another clock counts as the beginning. */
export function sinceThen(since: string, at: string): number {
  return Math.max(0, Date.parse(at) - Date.parse(since));
}

/** Position of each turn in the recording, s; null for what was said after its end. */
export function placesOf(turns: Turn[], recordedFrom: string, duration: number): (number | null)[] {
  return turns.map(({ at }) => {
    const place = sinceThen(recordedFrom, at) / 1000;
    return place < duration ? place : null;
  });
}

/** The turn playing at a time of the recording, s: the last one that had started, tools aside; -1 before the first. */
export function turnAt(turns: Turn[], places: (number | null)[], time: number): number {
  return turns.findLastIndex(({ role }, nth) => {
    const place = places[nth] ?? null;
    return role !== "tool" && place !== null && place <= time;
  });
}

/** How long the other side waited for an answer, by the number of the answer's turn, ms. */
export function waitsOf(turns: Turn[]): Map<number, number> {
  const waits = new Map<number, number>();
  let userTurnAt: string | null = null;
  for (const { role, at, seq } of turns) {
    if (role === "user") userTurnAt = at;
    if (role !== "agent" || userTurnAt === null) continue;
    waits.set(seq, sinceThen(userTurnAt, at));
    userTurnAt = null;
  }
  return waits;
}

const languages = new Intl.DisplayNames(LANGUAGE, { type: "language", fallback: "code" });

/** The name of the language that a turn is in, where what was said before it was in another one. */
export function languageFrom(turns: Turn[], nth: number): string | null {
  const lang = turns[nth]?.lang ?? null;
  const before = turns.slice(0, nth).findLast((turn) => turn.lang !== null)?.lang ?? lang;
  if (lang === null || lang === before) return null;
  try {
    return languages.of(lang) ?? lang;
  } catch {
    return lang;
  }
}
