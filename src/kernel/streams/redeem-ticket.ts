import type { Context } from "hono";
import type { AccountStore } from "../db/account-store.ts";
import type { AppEnv } from "../http/context.ts";
import type { Reader } from "../http/credential.ts";
import { actorOf, readerBy } from "../http/credential-holder.ts";
import { ApiError } from "../http/errors.ts";
import { countFailure, refuseBlocked } from "../http/failures.ts";
import { openStore } from "../http/stores.ts";
import type { Authority } from "../scopes.ts";
import { readTicket } from "./stream-ticket.ts";

const EXPIRED =
  "the ticket has expired: request a new one, and add the id of the last event that you have as last_event_id " +
  "to its address";
const NO_TICKET = "this is not a ticket for an event stream";
const ANOTHER = "the ticket is for another stream: request one for this stream";
const GONE = "the API key that requested the ticket was deleted";
const NARROWED = "the rights of the caller who requested the ticket have changed: request a new one";

/**
 * Admits the holder of a ticket to this stream, for as long as the ticket's requester may read. Returns the account. An
 * invalid ticket counts as a failed authentication from the client's address; an expired one does not.
 * @throws ApiError 401, 403, 429
 */
export async function redeemTicket(
  c: Context<AppEnv>,
  stream: string,
  ticket: string,
): Promise<{ account: string; store: AccountStore; reader: Reader; authority: Authority }> {
  refuseBlocked(c, "authentication");
  const read = await readTicket(c.env.SIGNING_KEYS, ticket, c.get("now"));
  if ("refused" in read) {
    if (read.refused === "expired") throw new ApiError(403, "ticket_expired", EXPIRED);
    await countFailure(c, "authentication");
    throw new ApiError(403, "ticket_invalid", NO_TICKET);
  }
  const { sub, account, holder } = read.claims;
  if (sub !== stream.toLowerCase()) throw new ApiError(403, "ticket_invalid", ANOTHER);
  const store = openStore(c, account, { actor: actorOf(holder), request_id: c.get("requestId") });
  const reader = await readerBy(store, holder);
  if (!reader) throw new ApiError(403, "key_revoked", GONE);
  const { view, authority } = await c.get("admissions").reader(c, account, reader.credential);
  if (view !== reader.view) throw new ApiError(403, "access_revoked", NARROWED);
  return { account, store, reader, authority };
}
