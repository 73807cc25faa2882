import { MASKED } from "../kernel/mask-number.ts";

/** What replaces the digits of an erased number: no phone has it, and no search by number finds it. */
export const ERASED_NUMBER = 0;

/** A number as clients see it, by its digits; null if the number of an entry of the history was erased. */
export function shownNumber(digits: number | null): string {
  return digits === null || digits === ERASED_NUMBER ? MASKED : `+${digits}`;
}
