import { canonicalJson } from "../../kernel/http/canonical-json.ts";
import { requireScopes } from "../../kernel/http/require-scopes.ts";
import type { Authority, Scope } from "../../kernel/scopes.ts";
import { referencesOf } from "../tools/run/references.ts";
import type { AgentContent } from "./content.ts";
import type { FoundAgent } from "./content-reads.ts";
import { loosens } from "./narrower.ts";

/** The scopes that it takes to have conversations held with `after` in place of `before`; null for none at all. */
export function scopesToChange(before: AgentContent | null, after: AgentContent): Scope[] {
  const scopes: Scope[] = [];
  const { fields } = after;
  if (canonicalJson(fields.transfer_targets) !== canonicalJson(before?.fields.transfer_targets ?? []))
    scopes.push("dial");
  if (before !== null && loosens(before.fields, fields)) scopes.push("manage");
  const had = new Map(before?.tools.map((tool) => [tool.id, tool]));
  const comesBack = after.tools.some(({ id, enabled, body }) => {
    if (!enabled || referencesOf(body.implementation_config).size === 0) return false;
    const old = had.get(id);
    return !old?.enabled || canonicalJson(old.body) !== canonicalJson(body);
  });
  if (comesBack) scopes.push("connect");
  return scopes;
}

/** @throws ApiError 403 where the caller lacks a scope that the change takes */
export function assertMayChange(caller: Authority, before: AgentContent | null, after: AgentContent): void {
  requireScopes(caller, scopesToChange(before, after));
}

/** What conversations take of an agent under this versioning; null if there is nothing. */
export function liveUnder(found: FoundAgent, versioning: FoundAgent["row"]["versioning"]): AgentContent | null {
  if (versioning === "auto") return found.draft;
  return found.versions.get(found.row.published_version ?? 0)?.content ?? null;
}
