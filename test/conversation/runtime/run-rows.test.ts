import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { ConversationStore } from "../../../src/conversation/runtime/store/conversation-store.ts";
import { CONVERSATION_MIGRATIONS } from "../../../src/conversation/runtime/store/migrations.ts";
import { OUTCOME_UNKNOWN } from "../../../src/conversation/runtime/tools/run-state.ts";
import { ToolRunLog } from "../../../src/conversation/runtime/tools/tool-run-log.ts";
import { unlistedRuns } from "../../../src/conversation/runtime/upkeep/unlisted-runs.ts";
import { migrate } from "../../../src/kernel/durable/migrate.ts";

const AT = Date.parse("2026-11-22T10:00:00.123Z");

/** An object as a release without rows for tool runs left it, with a run to be listed and one under way. */
function leftBehind(heldBy: "edge" | "own", work: (store: ConversationStore) => void): Promise<void> {
  const object = env.CONVERSATION.getByName(`nobody/${crypto.randomUUID()}`) as unknown as DurableObjectStub;
  return runInDurableObject(object, (_, { storage }) => {
    const before = CONVERSATION_MIGRATIONS.findIndex(({ id }) => id === "tool-run-rows");
    migrate(storage, CONVERSATION_MIGRATIONS.slice(0, before), AT);
    const { sql } = storage;
    const at = new Date(AT).toISOString();
    const run = { tool_name: "book", at, tool_call_id: "t1", ok: true, status: 200, duration_ms: 40, error: null };
    const failed = { tool_name: "look", at, tool_call_id: "t2", ok: false, status: null, duration_ms: 2, error: "no" };
    sql.exec(
      "INSERT INTO conversation (one, id, identity, held_by, started_at, heard_at, runs) VALUES (1, 'c', '{}', ?, ?, ?, ?)",
      heldBy,
      AT,
      AT,
      JSON.stringify([run, failed]),
    );
    const call = { type: "tool_call", tool_call_id: "t3", name: "book", arguments: {}, seq: 1, at };
    sql.exec("INSERT INTO events VALUES (1, 1, ?)", JSON.stringify(call));
    work(new ConversationStore(storage, () => {}));
  });
}

describe("tool runs that an earlier release left", () => {
  it("are listed with their outcomes", async () => {
    await leftBehind("edge", (store) => {
      expect(unlistedRuns(store)).toMatchObject([
        { name: "book", tool_call_id: "t1", state: "ok", started_at: AT, ended_at: AT + 40, status: 200, error: null },
        { name: "look", tool_call_id: "t2", state: "failed", started_at: AT, ended_at: AT + 2, error: "no" },
      ]);
      expect(new Set(store.runs.all.map(({ id }) => id)).size).toBe(2);
    });
  });

  it("are unknown if they were under way, unless another runtime ran them", async () => {
    await leftBehind("edge", (store) => {
      new ToolRunLog(store, () => AT).closeOpen();
      expect(store.events).toMatchObject([
        { type: "tool_call" },
        { type: "tool_result", tool_call_id: "t3", ok: false, state: "unknown", result: OUTCOME_UNKNOWN },
      ]);
    });
    await leftBehind("own", (store) => {
      new ToolRunLog(store, () => AT).closeOpen();
      expect(store.events).toHaveLength(1);
    });
  });
});
