import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { inServiceReads } from "../../../src/account/in-service/reads.ts";
import { restoreVersion } from "../../../src/agent/versions/restore.ts";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { tenant } from "../../support/client.ts";
import { agentPath, newAgent } from "./support.ts";

const FOREIGN = { method: "POST", url: "https://api.vendor.example/notes", body: { note: "{note}" } };
const SCHEMA = { type: "object", properties: { note: { type: "string" } } };

describe("a version that is restored while the agent changes", () => {
  it("does not restore a tool that was detached after the agent was read", async () => {
    const { server, account } = await tenant();
    await server.post("/api/v1/tools", { name: "note", implementation_config: FOREIGN, schema: SCHEMA });
    const id = await newAgent(server);
    const tools = `${agentPath(id)}/tools`;
    await server.put(tools, { tool_name: "note" });
    expect((await server.post(`${agentPath(id)}/publish`)).status).toBe(200);
    const store = accountStore(env, account, { actor: "test", request_id: "" });
    const read = store.read.bind(store);
    store.read = (async (...reads) => {
      const found = await read(...reads);
      await server.delete(`${tools}/note`);
      return found;
    }) as typeof store.read;
    const inService = inServiceReads(env, store, Date.now());
    const caller = { role: null, scopes: ["read", "build"] as const, agentIds: null };
    const restoring = restoreVersion(
      { env, store, inService, caller, actor: "test", now: Date.now() },
      { id, number: 1, ifMatch: null },
    );
    await expect(restoring).rejects.toMatchObject({ status: 403, code: "missing_scope" });
    expect((await server.get<{ tools: unknown[] }>(tools)).body.tools).toEqual([]);
  });
});
