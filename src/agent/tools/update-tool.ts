import { eq, sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { tools } from "../../kernel/db/schema/index.ts";
import { egressRules } from "../../kernel/egress/address.ts";
import { askedFor } from "../../kernel/http/asked.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { changedMeanwhile } from "../../kernel/http/if-match.ts";
import { requireScopes } from "../../kernel/http/require-scopes.ts";
import { type Authority, missingScope } from "../../kernel/scopes.ts";
import { hasRoomEverywhere, noRoom } from "../attached-texts.ts";
import { findItem, tryUpdateItem } from "../items.ts";
import { toolBody } from "../versions/content.ts";
import { mayChangeAnything, scopesToUse } from "../versions/may-change.ts";
import type { ToolChanges } from "./contract.ts";
import { projectTool } from "./effect.ts";
import { assertMayName, installsOf } from "./integrations-named.ts";
import { assertRunnable, assertSecretHosts } from "./run/check-tool.ts";

type ToolRow = typeof tools.$inferSelect;

interface Context {
  env: Bindings;
  store: AccountStore;
  caller: Authority;
  now: number;
}

interface ToolUpdate {
  idOrName: string;
  changes: ToolChanges;
  /** The revision on which the change is based; null for any. */
  ifMatch: number | null;
}

/**
 * Changes a tool. If agents use its current content, the change requires the same scopes as attaching the tool. @throws
 * ApiError 400, 403, 404, 412
 */
export async function updateTool({ env, store, caller, now }: Context, { idOrName, changes, ifMatch }: ToolUpdate) {
  for (;;) {
    const before = await findItem(store, tools, idOrName, "tool");
    if (ifMatch !== null && before.revision !== ifMatch) throw await changedMeanwhile(store, "tool", before);
    const asked = askedFor(changes, projectTool(before));
    if (Object.keys(asked).length === 0) return before;
    const { schema, implementation_config, bind } = asked;
    const sent = {
      schema: schema !== undefined,
      config: implementation_config !== undefined,
      bind: bind !== undefined,
    };
    const after = withChanges(before, asked);
    assertMayName(caller, before.implementation_config);
    assertMayName(caller, after.implementation_config);
    assertRunnable(after, sent, egressRules(env));
    if (sent.config) await assertSecretHosts(after, () => installsOf(store));
    const { id } = before;
    const required = scopesToUse([used(before)], [used(after)]);
    const mayWiden = missingScope(required, caller.scopes) === null;
    // The decision was made on the stored tool with these changes, so the tool must be unchanged since.
    const isAll = Object.keys(asked).length === Object.keys(changes).length;
    const isWhole = isAll && new Set(Object.values(sent)).size === 1 && mayChangeAnything(caller);
    const room = hasRoomEverywhere(store, "tool", asked);
    const where = all(room, mayWiden ? undefined : sql`NOT ${isInUse(store)}`);
    const revision = isWhole ? ifMatch : before.revision;
    const row = await tryUpdateItem(store, tools, id, { what: "tool", sent: asked, now, ifMatch: revision, where });
    if (row) return row;
    const [inUse, full] = await store.read(
      store.count(tools, sql`${eq(tools.id, id)} AND ${isInUse(store)}`),
      store.count(tools, all(eq(tools.id, id), room ? sql`NOT ${room}` : sql`false`)),
    );
    if (inUse > 0) requireScopes(caller, required);
    if (full > 0)
      throw noRoom(asked.implementation_code === undefined ? "implementation_config" : "implementation_code", "an");
  }
}

/** Returns the condition that an agent has the tool enabled and uses its current content, not an older one. */
function isInUse({ account }: AccountStore) {
  return sql`EXISTS (SELECT 1 FROM agent_tools AS l WHERE l.account = ${account} AND l.tool_name = ${tools.name} AND l.enabled AND l.body_hash IS NULL)`;
}

const used = (row: ToolRow) => ({ id: row.id, body: toolBody(row), enabled: true });

function withChanges(row: ToolRow, changes: ToolChanges): ToolRow {
  return Object.assign({}, row, Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)));
}
