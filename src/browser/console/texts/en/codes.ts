import { formatName } from "../format.ts";

/** Texts for the codes of carriers, runtimes and the service. Codes are written with underscores. */
const CODES: Partial<Record<string, string>> = {
  // The outcomes of calls, as carriers report them.
  user_busy: "The line was busy",
  no_answer: "No answer",
  no_user_response: "The phone didn't respond",
  no_user_responding: "The phone didn't respond",
  call_rejected: "The call was declined",
  normal_clearing: "The call ended normally",
  normal_hangup: "The call ended normally",
  originator_cancel: "The call was canceled before it was answered",
  unallocated_number: "The number is not in service",
  invalid_number_format: "The number is not valid",
  destination_out_of_order: "The destination can't be reached",
  no_route_destination: "The carrier has no route to the number",
  network_out_of_order: "The carrier's network had a failure",
  recovery_on_timer_expire: "The call timed out",
  timeout: "The call timed out",
  // The service's notes about a contact.
  message_left: "Left a message",
  message_in_doubt: "May have left a message",
  do_not_call: "On the do-not-call list",
  destination_not_allowed: "The call settings don't allow this destination",
  stopped: "The campaign was stopped",
  bad_number: "The carrier doesn't recognize the number",
  carrier_rate: "The carrier asked for fewer calls",
};

const A_CODE = /^[a-z0-9]+([_-][a-z0-9]+)*$/i;

/** Returns the text for a code. An unknown code is only made readable: `callback_requested` → "Callback requested". */
export function codeInWords(code: string): string {
  if (!A_CODE.test(code)) return code;
  const name = code.toLowerCase().replaceAll("-", "_");
  return (Object.hasOwn(CODES, name) ? CODES[name] : undefined) ?? formatName(name);
}
