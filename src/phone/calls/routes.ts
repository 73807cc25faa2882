import { OpenAPIHono, z } from "@hono/zod-openapi";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import type { AppEnv, Bindings, Principal } from "../../kernel/http/context.ts";
import { openCursor, sealCursor } from "../../kernel/http/cursor.ts";
import { assertMayNameNumbers } from "../../kernel/http/hidden-filters.ts";
import { assertOwnAgent, type OfAgents, ownRow, withinOwnAgents } from "../../kernel/http/own-agents.ts";
import { idempotent, serve } from "../../kernel/http/serve.ts";
import { openStore } from "../../kernel/http/stores.ts";
import { listedCalls } from "../../records/ledger/call-lists.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import { projectCall } from "./call-projection.ts";
import * as contract from "./contract.ts";
import { exportCalls } from "./export-calls.ts";
import type { CallFilters } from "./filters.ts";
import { findCall } from "./find-call.ts";
import { hangUpCall } from "./hang-up.ts";
import { callOnRecord, originateCall } from "./originate-call.ts";
import { callStatistics } from "./statistics.ts";
import { getCallStatistics } from "./statistics-contract.ts";
import { takeWebhook } from "./take-webhook.ts";
import { documentResponse, genuine, providerNamed, verifiedEvents } from "./webhook.ts";
import { callWebhook } from "./webhook-contract.ts";

export const calls = new OpenAPIHono<AppEnv>();

serve(
  calls,
  contract.originateCall,
  ({ env, store, body, now, newId, principal }) => {
    assertOwnAgent(principal, body.agent_id);
    const apiKeyId = principal.kind === "api_key" ? principal.subject : null;
    return originateCall({ env, store, now, newId, apiKeyId }, body);
  },
  ({ env, store }, id) => callOnRecord({ env, store }, id),
);

serve(calls, contract.listCalls, ({ env, store, principal, query }) =>
  listCalls({ env, store }, own(principal, query)),
);

/**
 * Returns the filters that the caller may use: phone numbers require a scope, and only permitted agents are included.
 */
function own<Q extends OfAgents & { phone_number?: string | undefined }>(principal: Principal, query: Q) {
  assertMayNameNumbers(principal, query.phone_number);
  return withinOwnAgents(principal, query);
}

// Registered before the path of a single call, which would match these words as IDs.
serve(calls, contract.exportCalls, ({ env, store, principal, query }) =>
  exportCalls({ env, store, principal }, own(principal, query)),
);
serve(calls, getCallStatistics, ({ env, store, principal, query, now }) =>
  callStatistics(new Ledger({ env, store }), own(principal, query), now),
);

serve(calls, contract.getCall, async ({ env, store, principal, now, params: { id } }) =>
  projectCall(ownRow(principal, await findCall({ env, store, now }, id), "call")),
);

serve(
  calls,
  contract.hangUpCall,
  async ({ env, store, principal, params, now }) => {
    if (principal.agentIds !== null) ownRow(principal, await findCall({ env, store, now }, params.id), "call");
    return projectCall(await hangUpCall({ env, store, now }, { id: params.id }));
  },
  idempotent("a finished call is returned as it is"),
);

serve(calls, callWebhook, async ({ c, env, params, query, now }) => {
  const { account, call_id } = params;
  const provider = providerNamed(params.provider);
  const author = { actor: `carrier:${provider}`, request_id: c.get("requestId") };
  const store = openStore(c, account, author);
  const { campaign = null, credentials = null, token = "", transfer = null, message } = query;
  const named = { provider, account, call_id, campaign, credentials, token };
  const target = { ...named, transfer, message: message !== undefined };
  const verified = await genuine(c, target, (webhook) => verifiedEvents({ env, store }, target, webhook));
  const document = await takeWebhook({ env, store, now }, target, verified);
  if (document) return documentResponse(document);
});

interface Context {
  env: Bindings;
  store: AccountStore;
}
interface Query extends CallFilters, OfAgents {
  limit: number;
  offset: number;
  after?: string | undefined;
}

/** The end of a page: the call before which the next page begins, and how many more calls it skips. */
const callsCursor = z.tuple([z.string().nullable(), z.number()]);

/** Returns a page of calls, newest first, with the total and the cursor of the next page. */
async function listCalls({ env, store }: Context, { limit, offset, after, ...filters }: Query) {
  const list = { account: store.account, list: "calls" };
  const [before, skipped] = after === undefined ? [null, 0] : await openCursor(env, list, after, callsCursor);
  const cursor = { before, skip: skipped + offset };
  const { rows, next, total, total_at_least } = await listedCalls(new Ledger({ env, store }), filters, cursor, limit);
  return {
    calls: rows.map(projectCall),
    total,
    total_at_least,
    limit,
    offset,
    next: next && (await sealCursor(env, list, [next.before, next.skip])),
  };
}
