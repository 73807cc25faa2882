import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Session } from "../../../src/conversation/runtime/session/snapshot.ts";
import { ConversationStore } from "../../../src/conversation/runtime/store/conversation-store.ts";
import type { SessionIdentity } from "../../../src/kernel/http/context.ts";

const NOW = 1_000;

/** Returns the tables of an empty object's storage after this work. */
function tablesAfter(work: (store: ConversationStore) => void | Promise<void>): Promise<string[]> {
  const object = env.CONVERSATION.getByName(`nobody/${crypto.randomUUID()}`) as unknown as DurableObjectStub;
  return runInDurableObject(object, async (_, { storage }) => {
    await work(new ConversationStore(storage, () => {}));
    const tables = storage.sql.exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'").toArray();
    return tables.map(({ name }) => name).filter((name) => !name.startsWith("_cf"));
  });
}

function begin(store: ConversationStore): void {
  // Only the session's documents are read here.
  const session = { snapshot: { documents: [] } } as unknown as Session;
  store.begin({ id: "c", identity: {} as SessionIdentity, started_at: NOW }, session);
}

describe("the store of a conversation", () => {
  it("appends only results of tools after the end, and archives them", async () => {
    await tablesAfter((store) => {
      begin(store);
      store.append({ type: "user_turn", text: "hello" }, NOW);
      store.append({ type: "ended", reason: "silence" }, NOW);
      store.update({ ended_at: NOW, archived: 1 });
      store.append({ type: "agent_turn", text: "late" }, NOW);
      expect(store.existing.archived).toBe(1);
      store.append({ type: "tool_result", tool_call_id: "t", ok: true, result: "late", duration_ms: 1 }, NOW);
      store.setOpenTurn({ text: "late", at: NOW });
      store.flush();
      expect(store.events.map(({ type }) => type)).toEqual(["user_turn", "ended", "tool_result"]);
      expect(store.existing.archived).toBe(0);
      expect(store.openTurn).toBeNull();
    });
  });

  it("stays empty once emptied, even if something is written later", async () => {
    const tables = await tablesAfter(async (store) => {
      begin(store);
      store.flush();
      await store.empty(null);
      store.append({ type: "usage", input_tokens: 1 }, NOW);
      store.setOpenTurn({ text: "late", at: NOW });
      store.flush();
    });
    expect(tables).toEqual([]);
  });
});
