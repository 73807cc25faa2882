import { MASKED } from "../kernel/mask-number.ts";

/** Replaces the digits of an erased number. No phone has it, and no search by number finds it. */
export const ERASED_NUMBER = 0;

/** Returns a number as clients see it, from its digits; null digits are those of an erased history entry. */
export function shownNumber(digits: number | null): string {
  return digits === null || digits === ERASED_NUMBER ? MASKED : `+${digits}`;
}
