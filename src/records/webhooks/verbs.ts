import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { type AccountStore, subject } from "../../kernel/db/account-store.ts";
import { changedColumns } from "../../kernel/db/audit-changes.ts";
import { all } from "../../kernel/db/conditions.ts";
import { agents, webhooks } from "../../kernel/db/schema/index.ts";
import { egressRules, judgeAddress } from "../../kernel/egress/address.ts";
import { askedFor } from "../../kernel/http/asked.ts";
import type { Bindings, Principal } from "../../kernel/http/context.ts";
import { ApiError, conflict, invalidField, notFound } from "../../kernel/http/errors.ts";
import { changedMeanwhile } from "../../kernel/http/if-match.ts";
import { changeOf, isOwn, type WebhookChanges } from "./change.ts";
import { shownTo } from "./message.ts";
import { newSecret, openSecrets, rotated, sealSecrets } from "./secrets.ts";
import type { WebhookRow } from "./webhook-row.ts";

export interface WebhooksContext {
  env: Bindings;
  store: AccountStore;
  principal: Principal;
  /** Milliseconds. */
  now: number;
}

/** The most attempts at a change if other changes interfere. */
const MOST_TRIES = 5;

/** Returns the webhooks that the caller may see, oldest first. */
export async function listOwn({ store, principal }: WebhooksContext): Promise<WebhookRow[]> {
  const [rows] = await store.read(store.select(webhooks, { orderBy: [asc(webhooks.created_at), asc(webhooks.id)] }));
  return rows.filter((row) => isOwn(principal.agentIds, row));
}

/** Returns the webhook, if the caller may see it. @throws ApiError 404 */
export async function findOwn({ store, principal }: WebhooksContext, id: string): Promise<WebhookRow> {
  const [row] = await store.read(store.first(webhooks, { where: eq(webhooks.id, id) }));
  if (!row || !isOwn(principal.agentIds, row)) throw notFound("webhook");
  return row;
}

interface NewWebhook {
  id: string;
  url: string;
  types: string[];
  description: string | null;
  agent_ids: string[] | null;
  enabled: boolean;
}

/** Creates a webhook and returns it with its secret. @throws ApiError 400, 403 */
export async function createWebhook(context: WebhooksContext, wanted: NewWebhook) {
  const { env, store, principal, now } = context;
  assertAddress(env, wanted.url);
  const agent_ids = await agentsFor(context, wanted.agent_ids);
  const secret = newSecret();
  const at = new Date(now).toISOString();
  const row = {
    id: wanted.id,
    url: wanted.url,
    types: wanted.types,
    description: wanted.description,
    agent_ids,
    enabled: wanted.enabled,
    disabled_reason: wanted.enabled ? null : ("requested" as const),
    shows: shownTo(principal),
    secrets: await sealSecrets(env, store.account, wanted.id, [{ secret, until: null }]),
    begins_at: at,
    beginning: 1,
    address_revision: 1,
    created_by: principal.subject,
    created_at: at,
    updated_at: at,
  };
  const [, stored] = await store.write(
    { action: "create", resource: "webhook", resource_id: row.id },
    store.insert(webhooks, row),
    store.first(webhooks, { where: eq(webhooks.id, row.id) }),
  );
  if (!stored) throw notFound("webhook");
  return { row: stored, secret };
}

/** Changes a webhook. Returns it, with a new secret if its address changed. @throws ApiError 400, 403, 404, 412 */
export async function updateWebhook(
  context: WebhooksContext,
  id: string,
  sent: WebhookChanges,
  ifMatch: number | null,
) {
  const { env, store, principal, now } = context;
  if (sent.url !== undefined) assertAddress(env, sent.url);
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const row = await findOwn(context, id);
    if (ifMatch !== null && row.revision !== ifMatch) throw await changedMeanwhile(store, "webhook", row);
    const { agent_ids: wanted } = askedFor({ agent_ids: sent.agent_ids }, row);
    const limits = { agent_ids: wanted === undefined ? undefined : await agentsFor(context, wanted) };
    const set = changeOf(row, Object.assign({}, sent, limits), shownTo(principal), now);
    if (Object.keys(set).length === 0) return { row, secret: null };
    const secret = set.url === undefined ? null : newSecret();
    if (secret) set.secrets = await sealSecrets(env, store.account, id, [{ secret, until: null }]);
    const { url, types, description, agent_ids, enabled } = set;
    const changes = changedColumns(webhooks, { url, types, description, agent_ids, enabled });
    const entry = { action: "update", resource: "webhook", resource_id: id, changes } as const;
    const [[changed]] = await store.write(entry, subject(store.revise(webhooks, set, isStill(row), row.revision)));
    if (changed) return { row: changed, secret };
  }
  throw conflict("changed_meanwhile", "another request is changing the webhook; try again");
}

/** Deletes a webhook and its deliveries. @throws ApiError 404 */
export async function deleteWebhook(context: WebhooksContext, id: string): Promise<void> {
  const { store } = context;
  const row = await findOwn(context, id);
  const entry = { action: "delete", resource: "webhook", resource_id: id } as const;
  const [deleted] = await store.write(entry, store.delete(webhooks, eq(webhooks.id, row.id)));
  if (deleted.length === 0) throw notFound("webhook");
}

/** Adds a new secret to a webhook. The current secret keeps signing for a while. @throws ApiError 404 */
export async function rotateSecret(context: WebhooksContext, id: string) {
  const { env, store, now } = context;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const row = await findOwn(context, id);
    const secret = newSecret();
    const secrets = rotated(await openSecrets(env, store.account, id, row.secrets), secret, now);
    const sealed = await sealSecrets(env, store.account, id, secrets);
    const isSame = all(isStill(row), eq(webhooks.secrets, row.secrets));
    const entry = { action: "rotate_secret", resource: "webhook", resource_id: id } as const;
    const set = { secrets: sealed, updated_at: new Date(now).toISOString() };
    const [changed] = await store.write(entry, store.revise(webhooks, set, isSame, null));
    const until = secrets[1]?.until ?? new Date(now).toISOString();
    if (changed.length > 0) return { id, secret, secret_expires_at: until };
  }
  throw conflict("changed_meanwhile", "another request is changing the webhook; try again");
}

/** Returns the condition that the webhook is unchanged since it was read. */
function isStill({ id, revision }: WebhookRow): SQL {
  return all(eq(webhooks.id, id), and(eq(webhooks.revision, revision)));
}

/** @throws ApiError 400 */
function assertAddress(env: Bindings, url: string): void {
  const verdict = judgeAddress(url, egressRules(env));
  if ("refused" in verdict) throw invalidField("url", "address_refused", verdict.refused);
}

/** Returns the agents that a webhook is limited to: at most the caller's own. @throws ApiError 400, 403 */
async function agentsFor({ store, principal }: WebhooksContext, wanted: string[] | null): Promise<string[] | null> {
  if (wanted === null) return principal.agentIds && [...principal.agentIds];
  const ids = [...new Set(wanted)].sort();
  if (!isOwn(principal.agentIds, { agent_ids: ids }))
    throw new ApiError(403, "agent_not_allowed", "this API key is limited to other agents");
  const where = sql`${agents.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  const [rows] = await store.read(store.select(agents, { where, columns: ["id"] }));
  const missing = ids.find((id) => !rows.some((row) => row.id === id));
  if (missing !== undefined) throw invalidField("agent_ids", "not_found", `agent ${missing} not found`);
  return ids;
}
