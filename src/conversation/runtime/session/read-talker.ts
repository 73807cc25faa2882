import { PROTOCOLS, type ProtocolName } from "../protocols/index.ts";
import { CLOSE, Refusal } from "../protocols/protocol.ts";
import { readTalkerToken } from "./session-token.ts";
import type { Talker } from "./talker.ts";

/** The kind of token decides the protocol, never the first frame. */
const PROTOCOL_OF = { participant: "widget", carrier: "conversation_relay" } as const satisfies Record<
  Talker["trust"],
  ProtocolName
>;
/** The protocols by the type of frame that opens them. */
const OPENED_BY = new Map<unknown, ProtocolName>([
  ["setup", "conversation_relay"],
  ["session", "widget"],
]);

/** The token in the first frame is not good for anything. */
export class BadTokenRefusal extends Refusal {}

/** Refused: the frame opens a protocol that is not this client's. */
export const wrongProtocol = () => new Refusal(CLOSE.refused, "the token is not for this protocol");

/** Who opens a socket with this first frame; `now` in ms. @throws Refusal, BadFrame, SigningUnavailable */
export async function readTalker(
  secret: string | undefined,
  frame: Record<string, unknown>,
  now: number,
): Promise<Talker> {
  const protocol = openedBy(frame);
  const incoming = protocol && PROTOCOLS[protocol].read(frame);
  if (incoming?.type !== "open") throw new Refusal(CLOSE.out_of_order, "the first frame must be setup or session");
  const talker = await readTalkerToken(secret, incoming.token, now);
  if ("refused" in talker) throw new BadTokenRefusal(CLOSE.refused, `the token is ${talker.refused}`);
  if (protocolFor(talker) !== protocol) throw wrongProtocol();
  return talker;
}

/** The protocol that this frame opens, null for a frame that opens none. */
export function openedBy({ type }: Record<string, unknown>): ProtocolName | null {
  return OPENED_BY.get(type) ?? null;
}

/** The protocol for this talker. */
export function protocolFor({ trust }: Talker): ProtocolName {
  return PROTOCOL_OF[trust];
}
