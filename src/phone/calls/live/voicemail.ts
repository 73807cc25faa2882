import type { CallState } from "../../../records/ledger/call-state.ts";
import { type Carrier, CarrierRefusal, type MachineMessage, type SpokenMessage } from "../../carriers/carrier.ts";
import { messageTexts } from "../../carriers/recorded.ts";
import type { LineStore, LiveCall } from "./line-store.ts";

/** Returns the message that a carrier fetches to speak; null if none was requested or the call is over. */
export async function requestedMessage(
  { message, over }: Pick<CallState, "message" | "over">,
  rendered: () => Promise<MachineMessage>,
): Promise<SpokenMessage | null> {
  if (over || !(message === "asked" || message === "left")) return null;
  const { text, language, before } = await rendered();
  return text === "" ? null : { text, language, before };
}

/**
 * Asks the carrier once to speak a due message: only the request that moves the message's state is sent. Returns
 * `failed` if it can't be left, so that the call must be hung up; otherwise null. A message that may be playing isn't
 * cut off: its call continues until it ends or takes too long. Never throws, even if the carrier fails or the message
 * can't be read.
 */
export async function leaveMessage(
  store: LineStore,
  carrierOf: () => Promise<Carrier>,
  { ref }: Pick<LiveCall, "ref">,
): Promise<"failed" | null> {
  const { call_id } = ref;
  let isAsked = false;
  try {
    const carrier = await carrierOf();
    if (!carrier.leaveMessage) throw new CarrierRefusal("rejected", "the carrier cannot leave messages");
    // The agent must fall silent before the carrier speaks.
    const [message] = await Promise.all([store.message(call_id), store.silence(call_id)]);
    if (message.text === "") throw new CarrierRefusal("rejected", "the message is empty");
    isAsked = await store.move(call_id, { from: "due", to: "asked", text: wordsOf(message) });
    if (!isAsked) return null;
    await carrier.leaveMessage(ref, message);
  } catch (error) {
    if (isAsked && !(error instanceof CarrierRefusal)) return null;
    return (await store.move(call_id, { from: isAsked ? "asked" : "due", to: "failed" })) ? "failed" : null;
  }
  await store.move(call_id, { from: "asked", to: "left" });
  return null;
}

/** Returns all words of a message, which determine how long it takes. */
const wordsOf = (message: SpokenMessage) =>
  messageTexts(message)
    .map(({ text }) => text)
    .join(" ");
