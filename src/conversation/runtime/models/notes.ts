import type { LocalTime } from "../../../kernel/rendering/built-in.ts";

const ARRIVED = /^\(The result of ([^()]+) is there now\./;

/**
 * Returns a note, in the user's role, that results of tools have arrived. Models expect the last message to be the
 * user's.
 */
export function arrivalNote(names: string[]): string {
  return `(The result of ${names.join(" and of ")} is there now. Go on with it.)`;
}

/** Returns the tool that the note mentions last; null if the text is no such note. */
export function arrivedIn(text: string): string | null {
  return ARRIVED.exec(text)?.[1]?.split(" and of ").at(-1) ?? null;
}

/** Tells a model the time at which words were said. */
export function timeNote({ weekday, date, time }: LocalTime): string {
  return `(It is ${weekday}, ${date}, ${time} now.)`;
}
