import { askedFor } from "../../kernel/http/asked.ts";
import { type AgentIds, isWithin } from "../../kernel/scopes.ts";
import { lessOf, type Shown } from "./message.ts";
import type { WebhookRow } from "./webhook-row.ts";

/** The fields that PATCH accepts. */
export type WebhookChanges = {
  [K in "url" | "types" | "description" | "agent_ids" | "enabled"]?: WebhookRow[K] | undefined;
};

type Set = Partial<Omit<WebhookRow, "account" | "id" | "revision" | "updated_by" | "revised_at">>;

/**
 * Returns the changes to a webhook of this revision; empty for values that it already has. A new address starts the
 * webhook over, and it then receives only what the caller may see. Enabling a webhook also starts it over. A caller
 * therefore cannot make a webhook send more personal data than the caller may see.
 */
export function changeOf(row: WebhookRow, sent: WebhookChanges, shows: Shown, now: number): Set {
  const { types, description, agent_ids, enabled } = sent;
  const url = sent.url !== undefined && sent.url !== row.url ? sent.url : undefined;
  const at = new Date(now).toISOString();
  const next = row.revision + 1;
  const asked = askedFor({ types, description, agent_ids }, row);
  const set: Set = {};
  if (asked.types !== undefined) set.types = asked.types;
  if (asked.description !== undefined) set.description = asked.description;
  if (asked.agent_ids !== undefined) set.agent_ids = asked.agent_ids;
  if (asked.types !== undefined || asked.agent_ids !== undefined) set.shows = lessOf(row.shows, shows);
  if (url !== undefined) Object.assign(set, { url, address_revision: next, shows } satisfies Set);
  if (enabled === false && row.enabled) Object.assign(set, { enabled, disabled_reason: "requested" } satisfies Set);
  const isEnabledAgain = enabled === true && !row.enabled;
  if (isEnabledAgain) Object.assign(set, { enabled, disabled_reason: null } satisfies Set);
  if (isEnabledAgain || url !== undefined) Object.assign(set, { begins_at: at, beginning: next } satisfies Set);
  if (Object.keys(set).length > 0) set.updated_at = at;
  return set;
}

/**
 * Checks whether a caller limited to these agents may see a webhook with this limit, which must be within the caller's
 * own.
 */
export function isOwn(agentIds: AgentIds, { agent_ids }: Pick<WebhookRow, "agent_ids">): boolean {
  return agentIds === null || agent_ids?.every((id) => isWithin(agentIds, id)) === true;
}
