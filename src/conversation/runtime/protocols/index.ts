import { conversationRelay } from "./conversation-relay.ts";
import type { Protocol } from "./protocol.ts";
import { widgetFrames } from "./widget.ts";

/** The protocols of the edge runtime by their stored names. */
export const PROTOCOLS = { conversation_relay: conversationRelay, widget: widgetFrames } as const satisfies Record<
  string,
  Protocol
>;
export type ProtocolName = keyof typeof PROTOCOLS;
