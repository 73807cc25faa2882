import type { Machine } from "./call-status.ts";
import type { CallOrder } from "./carrier.ts";
import { cutToFit, instructions, xml } from "./media.ts";

/** The longest document that a request to change a call takes, characters. */
const MAX_DOCUMENT_CHARS = 4_000;

/** How long a machine may greet before it is told of as unknown, s: their most. */
const DETECTION_TIMEOUT_S = 59;

/** What an order says of machines: nothing, or whether one is reported at once or when its greeting is over. */
export function machineDetection(
  { detects_machines, leaves_message }: Pick<CallOrder, "detects_machines" | "leaves_message">,
  callback: string,
): [string, string][] {
  if (!detects_machines) return [];
  const detection: [string, string][] = leaves_message
    ? [
        ["MachineDetection", "DetectMessageEnd"],
        ["MachineDetectionTimeout", String(DETECTION_TIMEOUT_S)],
      ]
    : [["MachineDetection", "Enable"]];
  // The call goes on while they listen; who wants no machine hangs up when it is reported.
  return [
    ...detection,
    ["AsyncAmd", "true"],
    ["AsyncAmdStatusCallback", callback],
    ["AsyncAmdStatusCallbackMethod", "POST"],
  ];
}

/** Speaks to a machine and hangs up; what would make the document too long is left out. */
export function messageDocument(text: string): string {
  const document = (words: string) => instructions(`<Say>${xml(words)}</Say>`, "<Hangup/>");
  return document(cutToFit(text, (words) => document(words).length <= MAX_DOCUMENT_CHARS));
}

/** What is known of a machine by the word for who answered; undefined where that is none. */
export function machineOf(answeredBy: string): Machine | undefined {
  if (answeredBy === "fax") return "no_voicemail";
  if (!answeredBy.startsWith("machine")) return undefined;
  // How its greeting ended is told once it has.
  return answeredBy.startsWith("machine_end") ? "recording" : "greeting";
}
