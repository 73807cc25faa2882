import { OpenAPIHono } from "@hono/zod-openapi";
import { desc } from "drizzle-orm";
import { v7 as uuidv7 } from "uuid";
import { campaigns as campaignTable } from "../db/schema/index.ts";
import { campaignObject } from "../durable/objects.ts";
import type { AppEnv, Bindings, Principal } from "../http/context.ts";
import { serve } from "../http/endpoint.ts";
import { ApiError, notFound } from "../http/errors.ts";
import { jsonPage } from "../http/json-array.ts";
import type { Reply } from "./campaign.ts";
import type { CampaignRecord } from "./contract.ts";
import * as contract from "./contract.ts";
import type { Operation } from "./decide/state.ts";
import type { ContactList, ContactQuery } from "./out/contact-list.ts";
import * as streams from "./streams-contract.ts";

export const campaigns = new OpenAPIHono<AppEnv>();

serve(campaigns, contract.listCampaigns, async ({ store }) => {
  const [rows] = await store.read(
    store.select(campaignTable, {
      columns: ["record"],
      orderBy: [desc(campaignTable.created_at), desc(campaignTable.id)],
    }),
  );
  return { campaigns: rows.map(({ record }) => record as CampaignRecord), total: rows.length };
});

serve(campaigns, contract.createCampaign, async ({ c, env, principal, now }) => {
  const id = uuidv7({ msecs: now });
  const headers = new Headers({ "content-type": c.req.header("content-type") ?? "" });
  headers.set("x-actor", c.get("author").actor);
  headers.set("x-created-by", principal.subject);
  headers.set("x-request-id", c.get("requestId"));
  headers.set("x-origin", new URL(c.req.url).origin);
  const { body } = c.req.raw;
  const answer = await campaignObject(env, principal.account, id).fetch("https://campaign/import", {
    method: "POST",
    headers,
    body,
  });
  return accepted((await answer.json()) as Reply<CampaignRecord>);
});

serve(campaigns, contract.getCampaign, async ({ env, principal, params }) =>
  known(await campaignObject(env, principal.account, params.id).record()),
);

serve(campaigns, contract.updateCampaign, async ({ c, env, principal, params, body }) =>
  accepted(await campaignObject(env, principal.account, params.id).update(body, c.get("author"))),
);

serve(campaigns, contract.deleteCampaign, async ({ c, env, principal, params }) => {
  accepted(await campaignObject(env, principal.account, params.id).remove(c.get("author")));
});

for (const [operation, endpoint] of Object.entries({
  start: contract.startCampaign,
  pause: contract.pauseCampaign,
  resume: contract.resumeCampaign,
  stop: contract.stopCampaign,
})) {
  serve(campaigns, endpoint, async ({ c, env, principal, params }) => {
    const { origin } = new URL(c.req.url);
    return accepted(
      await campaignObject(env, principal.account, params.id).operate(operation as Operation, c.get("author"), origin),
    );
  });
}

serve(campaigns, contract.listContacts, async ({ env, principal, params, query }) => {
  const { limit, offset } = query;
  const campaign = campaignObject(env, principal.account, params.id);
  const list = known(await campaign.contacts(query));
  const page = { total: list.total, limit, offset };
  if (!list.more) return { contacts: list.contacts, ...page };
  return jsonPage("contacts", contract.contact, contactPieces(campaign, query, list), page);
});

/** A page whose contacts are too long for one message, message by message. */
async function* contactPieces(campaign: ReturnType<typeof campaignObject>, query: ContactQuery, first: ContactList) {
  let left = query.limit;
  for (let list: ContactList | null = first; list !== null && left > 0; ) {
    yield list.contacts;
    left -= list.contacts.length;
    const after: string | undefined = list.contacts.at(-1)?.id;
    list = list.more && left > 0 ? await campaign.contacts({ ...query, after, limit: left, offset: 0 }) : null;
  }
}

serve(campaigns, contract.getContact, async ({ env, principal, params }) => {
  const contact = await campaignObject(env, principal.account, params.id).contact(params.contactId);
  if (!contact) throw notFound("contact");
  return contact;
});

serve(campaigns, contract.planCampaign, async ({ env, principal, params }) =>
  known(await campaignObject(env, principal.account, params.id).plan()),
);

serve(campaigns, streams.streamEvents, async ({ c, env, principal, params }) => {
  const lastSeen = c.req.header("last-event-id");
  const headers = lastSeen === undefined ? {} : { "last-event-id": lastSeen };
  const stream = await open(env, principal, params.id, "events", { headers, signal: c.req.raw.signal });
  return new Response(stream, { headers: { "content-type": "text/event-stream", "cache-control": "no-store" } });
});

serve(campaigns, streams.exportContacts, async ({ env, principal, params }) =>
  download(await open(env, principal, params.id, "contacts"), "text/csv; charset=utf-8", `campaign-${params.id}.csv`),
);

serve(campaigns, streams.exportRejects, async ({ env, principal, params }) =>
  download(
    await open(env, principal, params.id, "rejects"),
    "text/csv; charset=utf-8",
    `campaign-${params.id}-rejects.csv`,
  ),
);

serve(campaigns, streams.exportHistory, async ({ env, principal, params }) =>
  download(
    await open(env, principal, params.id, "history"),
    "application/x-ndjson",
    `campaign-${params.id}-history.ndjson`,
  ),
);

async function open(
  env: Bindings,
  principal: Principal,
  id: string,
  what: string,
  init?: RequestInit,
): Promise<ReadableStream> {
  const { ok, body } = await campaignObject(env, principal.account, id).fetch(`https://campaign/${what}`, init);
  if (!ok || !body) throw notFound("campaign");
  return body;
}

function download(stream: ReadableStream, contentType: string, name: string): Response {
  return new Response(stream, {
    headers: {
      "content-type": contentType,
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "no-store",
    },
  });
}

function known<T>(found: T | null): T {
  if (found === null) throw notFound("campaign");
  return found;
}

function accepted<T>(reply: Reply<T>): T {
  if ("ok" in reply) return reply.ok;
  const { status, code, message } = reply.refused;
  throw new ApiError(status, code, message);
}
