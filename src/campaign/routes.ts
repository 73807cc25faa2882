import { OpenAPIHono } from "@hono/zod-openapi";
import { desc, eq, sql } from "drizzle-orm";
import type { Context } from "hono";
import { v7 as uuidv7 } from "uuid";
import type { AccountStore } from "../kernel/db/account-store.ts";
import { campaigns as campaignTable } from "../kernel/db/schema/index.ts";
import { eachShown, rowsOf, selectIfSmall } from "../kernel/db/wide-rows.ts";
import { campaignObject } from "../kernel/durable/objects.ts";
import { forAnyOrigin } from "../kernel/http/any-origin.ts";
import { baseOf } from "../kernel/http/base-url.ts";
import { decodedBody } from "../kernel/http/content-encoding.ts";
import type { AppEnv, Bindings, Principal } from "../kernel/http/context.ts";
import type { Reader } from "../kernel/http/credential.ts";
import { CSV_TYPE, download } from "../kernel/http/csv.ts";
import { notFound } from "../kernel/http/errors.ts";
import { STREAM_HEADERS } from "../kernel/http/event-stream.ts";
import { assertMayNameNumbers } from "../kernel/http/hidden-filters.ts";
import { nameIgnored } from "../kernel/http/ignored-fields.ts";
import { ownRow } from "../kernel/http/own-agents.ts";
import { prefersStrict } from "../kernel/http/prefer.ts";
import { readerOf } from "../kernel/http/reader-of.ts";
import { idempotent, recordedInTransaction, serve } from "../kernel/http/serve.ts";
import type { AgentIds, Authority } from "../kernel/scopes.ts";
import { redeemTicket } from "../kernel/streams/redeem-ticket.ts";
import { issueTicket } from "../kernel/streams/stream-ticket.ts";
import { visibleEvents } from "../kernel/streams/visible-events.ts";
import { whileAllowed } from "../kernel/streams/while-allowed.ts";
import { Ledger } from "../records/ledger/ledger.ts";
import type { CampaignRecord } from "./campaign-record.ts";
import * as contract from "./contract.ts";
import * as downloads from "./downloads-contract.ts";
import type { Upload } from "./import/read-list.ts";
import { planCampaign } from "./plan-contract.ts";
import * as repair from "./repair-contract.ts";
import type { ContactList, ContactQuery, ContactSearch } from "./streams/contact-list.ts";
import * as streams from "./streams-contract.ts";

export const campaigns = new OpenAPIHono<AppEnv>();

serve(campaigns, contract.listCampaigns, async ({ store, principal: { agentIds } }) => {
  const isOwn =
    agentIds && sql`${campaignTable.agent_id} IN (SELECT value FROM json_each(${JSON.stringify(agentIds)}))`;
  const page = {
    table: campaignTable,
    where: isOwn ?? undefined,
    orderBy: [desc(campaignTable.created_at), desc(campaignTable.id)],
    texts: [campaignTable.record],
  };
  const [rows, total] = await store.read(selectIfSmall(store, page), store.count(campaignTable, page.where));
  const found = await rowsOf(store, page, { rows, total });
  return { campaigns: eachShown(found, ({ record }) => record as CampaignRecord), total };
});

serve(campaigns, contract.createCampaign, async ({ c, env, principal, now }) => {
  const campaign = campaignObject(env, principal.account, uuidv7({ msecs: now }));
  const { record, ignored } = await campaign.import(uploadOf(c, principal), decodedBody(c.req.raw));
  nameIgnored(c, ignored);
  return record;
});

serve(campaigns, contract.addContacts, async ({ c, env, principal, params }) => {
  const campaign = campaignObject(env, principal.account, params.id);
  const { counts, ignored } = await campaign.append(uploadOf(c, principal), decodedBody(c.req.raw));
  nameIgnored(c, ignored);
  return counts;
});

function uploadOf(c: Context<AppEnv>, principal: Principal): Upload {
  const content_type = c.req.header("content-type") ?? "";
  return {
    content_type,
    author: c.get("author"),
    created_by: principal.subject,
    reader: readerOf(principal),
    agentIds: principal.agentIds,
    strict: prefersStrict(c.req.header("prefer")),
  };
}

serve(campaigns, contract.getCampaign, async ({ env, principal, params }) =>
  campaignObject(env, principal.account, params.id).record(principal.agentIds),
);

serve(campaigns, contract.updateCampaign, async ({ c, env, principal, params, body, ifMatch }) =>
  campaignObject(env, principal.account, params.id).update(body, c.get("author"), principal.agentIds, ifMatch),
);

serve(campaigns, contract.deleteCampaign, async ({ c, env, principal, params }) => {
  await campaignObject(env, principal.account, params.id).remove(c.get("author"), principal.agentIds);
});

const inItsTables = recordedInTransaction("the campaign's own tables store the operation and its result");

for (const [operation, endpoint] of [
  ["start", contract.startCampaign],
  ["resume", contract.resumeCampaign],
] as const) {
  serve(
    campaigns,
    endpoint,
    ({ c, env, principal, params, query, ifMatch, operation: id }) =>
      campaignObject(env, principal.account, params.id).operate(operation, c.get("author"), principal.agentIds, {
        strict: query.strict === "true",
        id,
        expected: {
          revision: ifMatch,
          pending: query.pending ?? null,
          contacts: query.contacts_revision ?? null,
        },
      }),
    inItsTables,
  );
}

for (const [operation, endpoint] of [
  ["pause", contract.pauseCampaign],
  ["stop", contract.stopCampaign],
] as const) {
  serve(
    campaigns,
    endpoint,
    ({ c, env, principal, params, ifMatch, operation: id }) =>
      campaignObject(env, principal.account, params.id).operate(operation, c.get("author"), principal.agentIds, {
        id,
        expected: { revision: ifMatch, pending: null, contacts: null },
      }),
    inItsTables,
  );
}

serve(campaigns, repair.listContacts, async ({ env, principal, params, query }) => {
  const { limit, offset } = query;
  assertMayNameNumbers(principal, query.phone_number ?? query.search);
  const campaign = campaignObject(env, principal.account, params.id);
  const list = await campaign.contacts(query, principal.agentIds);
  if (list === null) throw notFound("campaign");
  const page = { total: list.total, limit, offset, next: list.next };
  const pieces = () => contactPieces({ campaign, agentIds: principal.agentIds }, query, list, page);
  return Object.assign(page, { contacts: list.more ? pieces() : list.contacts });
});

/** Splits a page that is too long for one message, and writes the cursor of its end into `page`. */
async function* contactPieces(
  { campaign, agentIds }: { campaign: ReturnType<typeof campaignObject>; agentIds: AgentIds },
  query: ContactQuery,
  first: ContactList,
  page: Pick<ContactList, "next">,
) {
  let left = query.limit;
  for (let list: ContactList | null = first; list !== null && left > 0; ) {
    yield list.contacts;
    page.next = list.next;
    left -= list.contacts.length;
    const after: string | undefined = list.contacts.at(-1)?.id;
    list =
      list.more && left > 0 ? await campaign.contacts({ ...query, after, limit: left, offset: 0 }, agentIds) : null;
  }
}

serve(campaigns, contract.getContact, ({ env, principal, params, query }) =>
  campaignObject(env, principal.account, params.id).contact(params.contactId, principal.agentIds, query.state),
);

serve(campaigns, repair.correctContact, ({ c, env, principal, params, body }) =>
  campaignObject(env, principal.account, params.id).correct(
    params.contactId,
    body,
    c.get("author"),
    principal.agentIds,
  ),
);

serve(
  campaigns,
  repair.cancelContact,
  ({ c, env, principal, params, operation }) =>
    campaignObject(env, principal.account, params.id).cancel(
      params.contactId,
      c.get("author"),
      principal.agentIds,
      operation,
    ),
  inItsTables,
);

serve(
  campaigns,
  repair.redialCampaign,
  ({ c, env, principal, params, body, operation }) =>
    campaignObject(env, principal.account, params.id).redial(
      body.outcomes,
      c.get("author"),
      principal.agentIds,
      operation,
    ),
  inItsTables,
);

serve(
  campaigns,
  repair.cloneCampaign,
  async ({ c, env, principal, params, body, newId }) => {
    const original = await campaignObject(env, principal.account, params.id).original(principal.agentIds);
    const { name, contacts } = body;
    const [author, created_by, reader] = [c.get("author"), principal.subject, readerOf(principal)];
    const order = { original, name, contacts, author, created_by, reader };
    return campaignObject(env, principal.account, newId()).clone(order);
  },
  async ({ env, principal }, id) => {
    const created = await campaignObject(env, principal.account, id).created();
    return created && ownRow(principal, created, "campaign");
  },
);

serve(campaigns, repair.countOutcomes, async ({ env, principal, params }) => ({
  outcomes: await campaignObject(env, principal.account, params.id).outcomes(principal.agentIds),
}));

serve(campaigns, planCampaign, async ({ env, principal, params }) =>
  campaignObject(env, principal.account, params.id).plan(principal.agentIds),
);

serve(campaigns, streams.streamEvents, ({ c, env, principal, params }) => {
  const lastSeen = c.req.header("last-event-id");
  return watch(campaignObject(env, principal.account, params.id), {
    lastSeen,
    reader: readerOf(principal),
    authority: principal,
  });
});

serve(
  campaigns,
  streams.createTicket,
  async ({ env, principal, params, now }) => {
    const base = baseOf(env);
    const { id } = await campaignObject(env, principal.account, params.id).record(principal.agentIds);
    const { ticket, expiresAt } = await issueTicket(env.SIGNING_KEYS, principal, id, now);
    return {
      url: `${base}/api/campaigns/${id}/events?ticket=${ticket}`,
      expires_at: new Date(expiresAt).toISOString(),
    };
  },
  idempotent("a ticket changes nothing, and an unused one expires within a minute"),
);

campaigns.use("/api/campaigns/*", forAnyOrigin);
serve(campaigns, streams.streamByTicket, async ({ c, env, params, query }) => {
  const { account, reader, authority } = await redeemTicket(c, params.id, query.ticket);
  const lastSeen = c.req.header("last-event-id") || query.last_event_id;
  return watch(campaignObject(env, account, params.id), { lastSeen, reader, authority });
});

/** Streams the campaign's events, beginning with those after `lastSeen`. */
async function watch(
  campaign: ReturnType<typeof campaignObject>,
  { lastSeen, reader, authority }: { lastSeen: string | undefined; reader: Reader; authority: Authority },
) {
  const after = /^\d{1,15}$/.test(lastSeen ?? "") ? Number(lastSeen) : null;
  const stream = await campaign.events(after, reader, authority.agentIds);
  return new Response(visibleEvents(stream, { authority, schemas: streams.EVENTS }), {
    headers: STREAM_HEADERS,
  });
}

serve(campaigns, downloads.exportContacts, async ({ env, store, principal, params: { id }, query }) => {
  const { for: reader, ...filter } = query;
  const file = await handOut({ env, store, principal }, id, "contacts", filter);
  return download(file, CSV_TYPE, `campaign-${id}.csv`, reader);
});

serve(campaigns, downloads.exportRejects, async ({ env, store, principal, params: { id }, query }) => {
  const file = query.for === "spreadsheet" ? "rejects_for_spreadsheet" : "rejects";
  return download(
    await handOut({ env, store, principal }, id, file),
    CSV_TYPE,
    `campaign-${id}-rejects.csv`,
    query.for,
  );
});

serve(campaigns, downloads.exportDuplicates, async ({ env, store, principal, params: { id }, query }) => {
  const file = query.for === "spreadsheet" ? "duplicates_for_spreadsheet" : "duplicates";
  return download(
    await handOut({ env, store, principal }, id, file),
    CSV_TYPE,
    `campaign-${id}-duplicates.csv`,
    query.for,
  );
});

serve(campaigns, downloads.exportHistory, async ({ env, store, principal, params: { id } }) =>
  download(
    await handOut({ env, store, principal }, id, "history"),
    "application/x-ndjson",
    `campaign-${id}-history.ndjson`,
  ),
);

const EXPORTED = {
  contacts: "export",
  rejects: "export_rejects",
  rejects_for_spreadsheet: "export_rejects",
  duplicates: "export_duplicates",
  duplicates_for_spreadsheet: "export_duplicates",
  history: "export_history",
} as const;

/** Returns a file of a campaign after its export was recorded in the audit log. @throws ApiError 404 */
async function handOut(
  { env, store, principal }: { env: Bindings; store: AccountStore; principal: Principal },
  id: string,
  file: keyof typeof EXPORTED,
  filter?: ContactSearch,
) {
  const stream = await campaignObject(env, store.account, id).download(file, principal.agentIds, filter);
  try {
    const listed = store.first(campaignTable, { where: eq(campaignTable.id, id), columns: ["record"] });
    const [campaign] = await store.read(listed);
    const resource_name = campaign && ((campaign.record as CampaignRecord).name || null);
    const act = store.act({ action: EXPORTED[file], resource: "campaign", resource_id: id, resource_name });
    await new Ledger({ env, store }).note(act);
  } catch (error) {
    await stream.cancel();
    throw error;
  }
  return whileAllowed(stream, env, store.account, readerOf(principal));
}
