import type { parsePhoneNumberFromString } from "libphonenumber-js/min";
import { createSignal } from "solid-js";

const [parse, setParse] = createSignal<typeof parsePhoneNumberFromString>();
/** What is known of the world's numbers is larger than the rest of a screen: it comes after the first one is there. */
void import("libphonenumber-js/min").then((library) => setParse(() => library.parsePhoneNumberFromString));

/** +12025550100 → "+1 202 555 0100", as its country writes it. */
export function groupedNumber(e164: string): string {
  return parse()?.(e164)?.formatInternational() ?? e164;
}
