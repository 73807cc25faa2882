import { eq, type SQL } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { isRevision } from "../../kernel/db/revision.ts";
import { agents } from "../../kernel/db/schema/index.ts";
import type { Authority } from "../../kernel/scopes.ts";
import { assertMayDisclose } from "../disclosure/fields.ts";
import { isAsRead } from "../versions/as-read.ts";
import { type AgentContent, withFields } from "../versions/content.ts";
import { findAgent } from "../versions/find-version.ts";
import { type AgentAuthority, assertMayChange, liveUnder, mayChangeAnything } from "../versions/may-change.ts";
import type { AgentChanges } from "./contract.ts";
import { agentRow } from "./joined.ts";

/**
 * Refuses changes that would widen what the agent may do beyond the caller's scopes. Returns the condition, for the
 * write, that the agent is unchanged since this decision; undefined if no decision was needed.
 * @throws ApiError 403, 404
 */
export async function judgeChanges(
  store: AccountStore,
  caller: Authority,
  id: string,
  changes: AgentChanges,
): Promise<SQL | undefined> {
  const { storage, redact, transfer_targets, versioning, disclosure } = changes;
  if (mayChangeAnything(caller)) return undefined;
  if (versioning !== undefined) return judgeSwitch(store, caller, id, { changes, versioning });
  const { llm_model, fallback_model, analysis } = changes;
  const judged = [storage, redact, transfer_targets, disclosure, llm_model, fallback_model, analysis?.model];
  if (judged.every((field) => field === undefined)) return undefined;
  const row = await agentRow(store, id);
  const before: AgentAuthority = { fields: row, tools: [] };
  assertMayDisclose(caller, row.disclosure, disclosure);
  assertMayChange(caller, before, { fields: changed(row, changes), tools: [] });
  return all(eq(agents.id, id), isRevision(agents, row.revision));
}

/** Decides on the saved content, and on what conversations will use under the new versioning. */
async function judgeSwitch(
  store: AccountStore,
  caller: Authority,
  id: string,
  { changes, versioning }: { changes: AgentChanges; versioning: "auto" | "manual" },
): Promise<SQL> {
  const found = await findAgent(store, id, "published");
  assertMayDisclose(caller, found.row.disclosure, changes.disclosure);
  const draft: AgentContent = Object.assign({}, found.draft, { fields: changed(found.draft.fields, changes) });
  assertMayChange(caller, found.draft, draft);
  const after = liveUnder(Object.assign({}, found, { draft }), versioning);
  const before = liveUnder(found, found.row.versioning);
  if (versioning !== found.row.versioning && after) assertMayChange(caller, before, after);
  return isAsRead(store, found);
}

/** Applies the given changes to a row's fields. */
function changed<F extends object>(fields: F, changes: AgentChanges): F {
  return withFields(fields, Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)));
}
