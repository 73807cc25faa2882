import { accountEvents, webhookObject } from "../../kernel/durable/objects.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import type { Authority } from "../../kernel/scopes.ts";
import type { WebhookState } from "./object/webhook.ts";
import { openSecrets } from "./secrets.ts";
import type { WebhookRow } from "./webhook-row.ts";

interface Context {
  env: Pick<Bindings, "WEBHOOK" | "ACCOUNT_EVENTS" | "ENCRYPTION_KEYS">;
  account: string;
  now: number;
  reader: Pick<Authority, "scopes">;
}

/**
 * Returns webhooks as clients see them. This takes one round trip to each webhook and one to the account's events, all
 * in parallel.
 */
export async function projectWebhooks({ env, account, now, reader }: Context, rows: readonly WebhookRow[]) {
  if (rows.length === 0) return [];
  const [last, ...states] = await Promise.all([
    accountEvents(env, account).last(),
    ...rows.map(({ id }) => webhookObject(env, account, id).state()),
  ]);
  return Promise.all(
    rows.map(async (row, i) => {
      const secrets = await openSecrets(env, account, row.id, row.secrets).catch(() => []);
      const until = secrets.flatMap(({ until: end }) => (end !== null && Date.parse(end) > now ? [end] : []));
      const projection = projectWebhook(
        row,
        (states[i] as WebhookState | null) ?? null,
        last,
        until.sort().at(-1) ?? null,
      );
      // An address may contain a secret, so only callers who may change it can see all of it.
      return reader.scopes.includes("connect") ? projection : Object.assign(projection, { url: hostOnly(row.url) });
    }),
  );
}

function projectWebhook(row: WebhookRow, state: WebhookState | null, last: number, secret_expires_at: string | null) {
  const { id, url, types, description, agent_ids, created_by, created_at, updated_at, revision } = row;
  // The webhook may have just disabled itself, which D1 does not show yet.
  const enabled = row.enabled && (state?.disabled_reason ?? null) === null;
  const cursor = state?.cursor ?? null;
  return {
    id,
    url,
    types,
    description,
    agent_ids,
    enabled,
    status: enabled ? ("enabled" as const) : ("disabled" as const),
    disabled_reason: enabled ? null : (row.disabled_reason ?? state?.disabled_reason ?? "requested"),
    content: row.shows === "content",
    last_delivery_at: iso(state?.last_delivery_at ?? null),
    failing_since: iso(state?.failing_since ?? null),
    behind: enabled && cursor !== null ? Math.max(0, last - cursor) : 0,
    missed: state?.missed ?? 0,
    secret_expires_at,
    created_by,
    created_at,
    updated_at,
    revision,
  };
}

/** Returns an address without its path: `https://shop.example/…`. */
function hostOnly(url: string): string {
  const { origin, href } = new URL(url);
  return href === `${origin}/` ? url : `${origin}/…`;
}

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
