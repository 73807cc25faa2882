import { z } from "zod";
import type { Principal } from "../../http/context.ts";
import { judgeToken, signToken } from "../../secrets/tokens.ts";

/** How long a ticket connects, s. The stream it opens goes on for longer. */
const LIFETIME_S = 60;
/** Longer than any ticket of ours, characters: more is refused unread. */
const MAX_TICKET_CHARS = 4096;

/** Who asked for a ticket: a key by its row's id, so that a page that has the ticket learns nothing of the key. */
const holder = z.union([
  z.object({ key_id: z.string() }),
  z.object({
    user: z.string(),
    session: z.string(),
    embedded: z.boolean(),
    /** When the session began, and until when its token is good by itself, ms. */
    issued_at: z.number(),
    expires_at: z.number(),
  }),
]);
export type TicketHolder = z.output<typeof holder>;

const claims = z.object({ sub: z.uuid(), account: z.string(), holder });

/** What a good ticket says: whose stream it opens, and for whom. */
export type Ticket = z.output<typeof claims>;

/** A ticket to the stream of the campaign `id`, and when it stops connecting, ms. @throws SigningUnavailable */
export async function issueTicket(
  secret: string | undefined,
  principal: Principal,
  id: string,
  now: number,
): Promise<{ ticket: string; expiresAt: number }> {
  const { account } = principal;
  const said = { sub: id, account, holder: holderOf(principal) };
  const ticket = await signToken(secret, "event-stream", said, LIFETIME_S, now);
  return { ticket, expiresAt: (Math.floor(now / 1000) + LIFETIME_S) * 1000 };
}

/** What a ticket says, or why it opens nothing: `expired` is one of ours that was good once. @throws SigningUnavailable */
export async function readTicket(
  secret: string | undefined,
  ticket: string,
  now: number,
): Promise<{ said: Ticket } | { refused: "expired" | "invalid" }> {
  if (ticket.length > MAX_TICKET_CHARS) return { refused: "invalid" };
  const verdict = await judgeToken(secret, "event-stream", ticket, now);
  if ("refused" in verdict) return verdict;
  const { data } = claims.safeParse(verdict.claims);
  return data ? { said: data } : { refused: "invalid" };
}

function holderOf({ subject, session }: Principal): TicketHolder {
  if (session === null) return { key_id: subject };
  const { id, embedded, issuedAt, expiresAt } = session;
  return { user: subject, session: id, embedded, issued_at: issuedAt, expires_at: expiresAt };
}
