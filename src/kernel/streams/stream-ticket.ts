import { z } from "zod";
import type { Principal } from "../http/context.ts";
import { credentialHolder, holderOf } from "../http/credential-holder.ts";
import { judgeToken, signToken } from "../secrets/tokens.ts";

/** How long a ticket can be redeemed, s. The stream that it opens lasts longer. */
const LIFETIME_S = 60;
/** Longer than any genuine ticket, characters. Longer texts are refused without parsing. */
const MAX_TICKET_CHARS = 4096;

const ticketClaims = z.object({ sub: z.string(), account: z.string(), holder: credentialHolder });

export type Ticket = z.output<typeof ticketClaims>;

/** Issues a ticket for a stream of the account. Returns it with its expiry, ms. @throws SigningUnavailable */
export async function issueTicket(
  secret: string | undefined,
  principal: Principal,
  stream: string,
  now: number,
): Promise<{ ticket: string; expiresAt: number }> {
  const { account } = principal;
  const claims = { sub: stream, account, holder: holderOf(principal) };
  const ticket = await signToken(secret, "event-stream", claims, LIFETIME_S, now);
  return { ticket, expiresAt: (Math.floor(now / 1000) + LIFETIME_S) * 1000 };
}

/**
 * Returns a ticket's claims, or the reason why it is refused. `expired` means that it was valid once.
 * @throws SigningUnavailable
 */
export async function readTicket(
  secret: string | undefined,
  ticket: string,
  now: number,
): Promise<{ claims: Ticket } | { refused: "expired" | "invalid" }> {
  if (ticket.length > MAX_TICKET_CHARS) return { refused: "invalid" };
  const verdict = await judgeToken(secret, "event-stream", ticket, now);
  if ("refused" in verdict) return verdict;
  const { data } = ticketClaims.safeParse(verdict.claims);
  return data ? { claims: data } : { refused: "invalid" };
}
