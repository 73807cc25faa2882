import { conversationRelay } from "./conversation-relay.ts";
import type { Protocol } from "./protocol.ts";
import { widgetFrames } from "./widget.ts";

/** Every protocol of the edge runtime, by the name it is remembered by. */
export const PROTOCOLS = { conversation_relay: conversationRelay, widget: widgetFrames } as const satisfies Record<
  string,
  Protocol
>;
export type ProtocolName = keyof typeof PROTOCOLS;
