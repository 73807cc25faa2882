import type { Body } from "../../api/client.ts";
import { LANGUAGE } from "../../texts/format.ts";

type Turn = Body<"ConversationTurn">;

/** Returns the milliseconds from `since` to `at`; 0 if `at` is earlier by another clock. */
export function sinceThen(since: string, at: string): number {
  return Math.max(0, Date.parse(at) - Date.parse(since));
}

/** Returns the offset of each turn in a recording, s; null if it is after the end of the recording. */
export function offsetsOf(turns: Turn[], recordedFrom: string, duration: number): (number | null)[] {
  return turns.map(({ at }) => {
    const offset = sinceThen(recordedFrom, at) / 1000;
    return offset < duration ? offset : null;
  });
}

/**
 * Returns the index of the turn that plays at a time of the recording, s: the last one that has started, except tool
 * runs; -1 before the first.
 */
export function turnAt(turns: Turn[], offsets: (number | null)[], time: number): number {
  return turns.findLastIndex(({ role }, nth) => {
    const offset = offsets[nth] ?? null;
    return role !== "tool" && offset !== null && offset <= time;
  });
}

/** Returns how long the other party waited for a response, by the number of the response's turn, ms. */
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

/** Returns the name of a turn's language if the previous turns were in another one. */
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
