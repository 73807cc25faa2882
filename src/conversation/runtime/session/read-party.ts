import { PROTOCOLS, type ProtocolName } from "../protocols/index.ts";
import { CLOSE, Refusal } from "../protocols/protocol.ts";
import type { Party } from "./party.ts";
import { readPartyToken } from "./session-token.ts";

/** The protocol of each kind of token. The first frame never decides it. */
const PROTOCOL_OF = { participant: "widget", carrier: "conversation_relay" } as const satisfies Record<
  Party["trust"],
  ProtocolName
>;
/** The protocols by the type of their opening frame. */
const OPENED_BY = new Map<unknown, ProtocolName>([
  ["setup", "conversation_relay"],
  ["session", "widget"],
]);

/** Thrown if the token in the first frame is invalid. */
export class BadTokenRefusal extends Refusal {}

/** Creates the refusal of an opening frame that belongs to another protocol than the client's. */
export const wrongProtocol = () => new Refusal(CLOSE.refused, "the token is not for this protocol");

/**
 * Reads which party opens a socket with this first frame; `now` in ms.
 * @throws Refusal, BadFrame, SigningUnavailable
 */
export async function readParty(
  secret: string | undefined,
  frame: Record<string, unknown>,
  now: number,
): Promise<Party> {
  const protocol = openedBy(frame);
  const incoming = protocol && PROTOCOLS[protocol].read(frame);
  if (incoming?.type !== "open") throw new Refusal(CLOSE.out_of_order, "the first frame must be setup or session");
  const party = await readPartyToken(secret, incoming.token, now);
  if ("refused" in party) throw new BadTokenRefusal(CLOSE.refused, `the token is ${party.refused}`);
  if (protocolFor(party) !== protocol) throw wrongProtocol();
  return party;
}

/** Returns the protocol that this frame opens; null for none. */
export function openedBy({ type }: Record<string, unknown>): ProtocolName | null {
  return OPENED_BY.get(type) ?? null;
}

export function protocolFor({ trust }: Party): ProtocolName {
  return PROTOCOL_OF[trust];
}
