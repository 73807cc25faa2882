import type { parsePhoneNumberFromString } from "libphonenumber-js/min";
import { createSignal } from "solid-js";

const [parse, setParse] = createSignal<typeof parsePhoneNumberFromString>();
let isLoading = false;

/** Brings what is known of the world's numbers, which is larger than the rest of a screen and so comes after the first. */
export function loadNumberFormats(): void {
  if (isLoading) return;
  isLoading = true;
  void import("libphonenumber-js/min").then((library) => setParse(() => library.parsePhoneNumberFromString));
}

/** Whether only the last digits of a number are shown, because the user may not see all of it. */
export const isMasked = (number: string): boolean => number.startsWith("•");

/** Numbers as they are written, for lists that are drawn again and again: to find it out takes longer than to draw it. */
const written = new Map<string, string>();
const MAX_WRITTEN = 2_000;

/** +12025550100 → "+1 202 555 0100", as its country writes it. */
export function groupedNumber(e164: string): string {
  loadNumberFormats();
  const cached = written.get(e164);
  const number = cached === undefined ? parse()?.(e164) : undefined;
  if (!number) return cached ?? e164;
  const grouped = number.formatInternational();
  if (written.size >= MAX_WRITTEN) written.clear();
  written.set(e164, grouped);
  return grouped;
}
