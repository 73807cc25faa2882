import { conversationRelay } from "./conversation-relay.ts";
import type { Protocol } from "./protocol.ts";
import { widgetFrames } from "./widget.ts";

/** Every protocol of the edge runtime, by the name it is remembered by. */
export const PROTOCOLS = { conversation_relay: conversationRelay, widget: widgetFrames } as const satisfies Record<
  string,
  Protocol
>;
export type ProtocolName = keyof typeof PROTOCOLS;

/** The protocol of a client by its first frame, null for one that begins with something else. */
export function protocolOf(first: Record<string, unknown>): ProtocolName | null {
  if (first.type === "setup") return "conversation_relay";
  return first.type === "session" ? "widget" : null;
}
