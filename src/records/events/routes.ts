import { OpenAPIHono, z } from "@hono/zod-openapi";
import { accountEvents } from "../../kernel/durable/objects.ts";
import { forAnyOrigin } from "../../kernel/http/any-origin.ts";
import { baseOf } from "../../kernel/http/base-url.ts";
import type { AppEnv, Bindings } from "../../kernel/http/context.ts";
import type { Reader } from "../../kernel/http/credential.ts";
import { openCursor, sealCursor } from "../../kernel/http/cursor.ts";
import { STREAM_HEADERS } from "../../kernel/http/event-stream.ts";
import { exampleOf } from "../../kernel/http/openapi-examples.ts";
import type { Json } from "../../kernel/http/openapi-json.ts";
import { readerOf } from "../../kernel/http/reader-of.ts";
import { idempotent, serve } from "../../kernel/http/serve.ts";
import { instantOf } from "../../kernel/instant-ids.ts";
import { isObject } from "../../kernel/objects.ts";
import type { Authority } from "../../kernel/scopes.ts";
import { redeemTicket } from "../../kernel/streams/redeem-ticket.ts";
import { issueTicket } from "../../kernel/streams/stream-ticket.ts";
import { visibleEvents } from "../../kernel/streams/visible-events.ts";
import { agentOf } from "./agent-of.ts";
import * as contract from "./contract.ts";
import type { Walk } from "./event-log.ts";
import type { Beginning, EventPage } from "./event-page.ts";
import { EVENT_TYPES, EVENTS, type EventType } from "./types.ts";

export const events = new OpenAPIHono<AppEnv>();

serve(events, contract.listEvents, ({ env, principal: { account, agentIds }, query }) => {
  const { types = null, since = null, after = null, limit } = query;
  return listEvents({ env, account }, { types, agentIds, since, after, limit });
});

/** Returns the agent that an event is about. `event` has the form in which clients receive it. */
const agentOfRecord = (event: unknown) => agentOf(recordWithData.parse(event).data);
const recordWithData = z.object({ data: z.record(z.string(), z.unknown()) });

/** The name of the account's event stream in a ticket. */
const STREAM = "events";

interface Watch {
  account: string;
  types: EventType[] | undefined;
  lastSeen: string | undefined;
  reader: Reader;
  authority: Authority;
}

serve(events, contract.streamEvents, ({ c, env, principal, query: { types } }) => {
  const lastSeen = c.req.header("last-event-id");
  return watch(env, { account: principal.account, types, lastSeen, reader: readerOf(principal), authority: principal });
});

serve(
  events,
  contract.createTicket,
  async ({ env, principal, now }) => {
    const base = baseOf(env);
    const { ticket, expiresAt } = await issueTicket(env.SIGNING_KEYS, principal, STREAM, now);
    return { url: `${base}/api/events/stream?ticket=${ticket}`, expires_at: new Date(expiresAt).toISOString() };
  },
  idempotent("a ticket changes nothing, and an unused one expires within a minute"),
);

events.use("/api/events/*", forAnyOrigin);
serve(events, contract.streamByTicket, async ({ c, env, query: { ticket, types, last_event_id } }) => {
  const { account, reader, authority } = await redeemTicket(c, STREAM, ticket);
  return watch(env, { account, types, lastSeen: c.req.header("last-event-id") || last_event_id, reader, authority });
});

/** Streams the account's events as they happen, after replaying those that follow the event `lastSeen`. */
async function watch(env: Pick<Bindings, "ACCOUNT_EVENTS">, { account, types, lastSeen, reader, authority }: Watch) {
  const stream = await accountEvents(env, account).stream(types ?? null, lastSeen || null, reader);
  return new Response(visibleEvents(stream, { authority, schemas: EVENTS, agentOf: agentOfRecord }), {
    headers: STREAM_HEADERS,
  });
}

serve(events, contract.listEventTypes, () => describedTypes());

/** An event type as clients see it. */
interface DescribedType {
  type: EventType;
  schema: Json;
  example: Json;
}

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
let described: DescribedType[] | undefined;

/** Describes every event type by the schema that types its senders, with an example. */
function describedTypes(): DescribedType[] {
  described ??= describe();
  return described;
}

function describe(): DescribedType[] {
  const { openAPIRegistry, getOpenAPI31Document } = new OpenAPIHono();
  for (const type of EVENT_TYPES) openAPIRegistry.register(type, EVENTS[type]);
  const { components } = getOpenAPI31Document({ openapi: "3.1.0", info: { title: "", version: "" } });
  return EVENT_TYPES.map((type) => {
    const keywords = Object.entries(components?.schemas?.[type] ?? {});
    const schema: Json = Object.fromEntries([["$schema", DIALECT], ...keywords]);
    const example = exampleOf(schema, {});
    if (!isObject(example)) throw new TypeError(`a field of ${type} has no example`);
    return { type, schema, example };
  });
}

/** A page of events as clients request it: `after` is a cursor or an event's id. */
interface EventQuery extends Pick<Walk, "types" | "agentIds" | "since" | "limit"> {
  after: string | null;
}

const cursor = z
  .tuple([z.enum(["older", "newer"]), z.number()])
  .transform(([direction, from]) => ({ direction, from }));

/** Returns a page of the account's events. @throws ApiError 400 if `after` is neither a cursor nor a known event */
async function listEvents(
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
