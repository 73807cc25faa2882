import { z } from "zod";
import { accountEvents } from "../../kernel/durable/objects.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { openCursor, sealCursor } from "../../kernel/http/cursor.ts";
import { instantOf } from "../../kernel/instant-ids.ts";
import type { Walk } from "./event-log.ts";
import type { Beginning, EventPage } from "./event-page.ts";

/** A page of events as clients request it: `after` is a cursor or an event's id. */
interface EventQuery extends Pick<Walk, "types" | "agentIds" | "since" | "limit"> {
  after: string | null;
}

const cursor = z
  .tuple([z.enum(["older", "newer"]), z.number()])
  .transform(([direction, from]) => ({ direction, from }));

/** Returns a page of the account's events. @throws ApiError 400 if `after` is neither a cursor nor a known event */
export async function listEvents(
  { env, account }: { env: Pick<Bindings, "ACCOUNT_EVENTS" | "SIGNING_KEYS">; account: string },
  { after, ...wanted }: EventQuery,
) {
  const list = { account, list: "/api/v1/events" };
  const beginning: Beginning | null =
    after === null
      ? null
      : instantOf(after) !== null
        ? { event: after }
        : await openCursor<Beginning>(env, list, after, cursor);
  const page = (await accountEvents(env, account).list({ beginning, ...wanted })) as EventPage;
  const { events, next, oldest } = page;
  return { events, next: next && (await sealCursor(env, list, [next.direction, next.from])), oldest };
}
