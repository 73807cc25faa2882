import type { Machine } from "../../records/ledger/call-status.ts";
import type { CallOrder, SpokenMessage } from "./carrier.ts";
import { cutToFit, instructions } from "./media.ts";
import { messageTexts, spokenVerb } from "./recorded.ts";

/** Maximum length of a document in a request that changes a call, characters. */
const MAX_DOCUMENT_CHARS = 4_000;

/** Maximum length of a machine's greeting before it is reported as unknown, s: the API's maximum. */
const DETECTION_TIMEOUT_S = 59;

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
  // The call continues during detection. If machines are unwanted, it is hung up when one is reported.
  return [
    ...detection,
    ["AsyncAmd", "true"],
    ["AsyncAmdStatusCallback", callback],
    ["AsyncAmdStatusCallbackMethod", "POST"],
  ];
}

/** Speaks to a machine and hangs up; text that would make the document too long is cut. */
export function messageDocument(carrier: string, message: SpokenMessage): string {
  const verbs = (text: string) =>
    messageTexts(Object.assign({}, message, { text })).map((one) => spokenVerb(carrier, one));
  const document = (words: string) => instructions(...verbs(words), "<Hangup/>");
  return document(cutToFit(message.text, (words) => document(words).length <= MAX_DOCUMENT_CHARS));
}

/** Returns the machine's state from the AnsweredBy value; undefined if it wasn't a machine. */
export function machineOf(answeredBy: string): Machine | undefined {
  if (answeredBy === "fax") return "no_voicemail";
  if (!answeredBy.startsWith("machine")) return undefined;
  // The value names the end of the greeting once it is over.
  return answeredBy.startsWith("machine_end") ? "recording" : "greeting";
}
