import { env } from "cloudflare:workers";
import { desc, eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { subject } from "../../../src/kernel/db/account-store.ts";
import { all } from "../../../src/kernel/db/conditions.ts";
import { agents, auditLog } from "../../../src/kernel/db/schema/index.ts";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { tenant } from "../../support/client.ts";

const ENTRY = { action: "order_attachments", resource: "agent", resource_id: "x" } as const;

async function withAgents() {
  const { server, account } = await tenant();
  for (const name of ["one", "two"]) await server.post("/api/v1/agents", { name });
  const store = accountStore(env, account, { actor: "test", request_id: "" });
  const rename = (from: string, to: string) => store.update(agents, { name: to }, eq(agents.name, from));
  const entries = async () => {
    const [n] = await store.read(store.count(auditLog, eq(auditLog.action, ENTRY.action)));
    return n;
  };
  return { store, rename, entries };
}

describe("AccountStore", () => {
  it("writes the audit entry of the statement marked as its subject, at any position in the batch", async () => {
    const { store, rename, entries } = await withAgents();
    const [none, named] = await store.write(ENTRY, rename("nobody", "x"), subject(rename("one", "uno")));
    expect([none.length, named.length]).toEqual([0, 1]);
    expect(await entries()).toBe(1);
    await store.write(ENTRY, rename("two", "due"), subject(rename("nobody", "x")), store.count(agents));
    expect(await entries()).toBe(1);
  });

  it("uses the first statement as the subject if none is marked", async () => {
    const { store, rename, entries } = await withAgents();
    await store.write(ENTRY, rename("nobody", "x"), rename("one", "uno"));
    expect(await entries()).toBe(0);
    await store.write(ENTRY, rename("two", "due"), rename("nobody", "x"));
    expect(await entries()).toBe(1);
  });

  it("returns the first row in the given order, undefined if there is none", async () => {
    const { store } = await withAgents();
    const [last, none, n] = await store.read(
      store.first(agents, { orderBy: [desc(agents.name)] }),
      store.first(agents, { where: all(eq(agents.name, "one"), undefined, eq(agents.status, "archived")) }),
      store.count(agents, all()),
    );
    expect([last?.name, none, n]).toEqual(["two", undefined, 2]);
  });
});
