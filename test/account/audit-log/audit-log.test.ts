import { describe, expect, it } from "vitest";
import { contactsCsv, upload } from "../../campaign/support.ts";
import { tenant } from "../../support/client.ts";

interface Log {
  entries: { at: string; actor: string; action: string; resource: string; resource_id: string; request_id: string }[];
  total: number;
}

describe("the audit log", () => {
  it("lists who changed what, newest first, in pages", async () => {
    const { server, user, key } = await tenant();
    const agent = await server.post<{ id: string }>("/api/v1/agents", {
      name: "A",
      system_prompt: "top secret prompt",
    });
    await user.patch(`/api/v1/agents/${agent.body.id}`, { name: "B" });
    const gone = await user.delete(`/api/v1/agents/${agent.body.id}`);
    const { entries, total } = (await user.get<Log>("/api/v1/audit-log")).body;
    expect(entries.slice(0, 3).map(({ action, resource }) => `${action} ${resource}`)).toEqual([
      "delete agent",
      "update agent",
      "create agent",
    ]);
    expect(entries[0]?.request_id).toBe(gone.headers.get("x-request-id"));
    expect(entries[2]?.actor).toBe(`api_key:${key.id}`);
    expect(entries[0]?.actor).toMatch(/^console:/);
    expect(JSON.stringify(entries)).not.toContain("secret");
    const second = (await user.get<Log>("/api/v1/audit-log?limit=1&offset=1")).body;
    expect([second.total, second.entries]).toEqual([total, [entries[1]]]);
  });

  it("records changes of campaigns, and nothing for writes that found nothing", async () => {
    const { server } = await tenant();
    const { body } = await upload(server, contactsCsv(1));
    await server.post(`/api/v1/campaigns/${body.id}/stop`);
    await server.delete(`/api/v1/campaigns/${body.id}`);
    const before = (await server.get<Log>("/api/v1/audit-log")).body;
    expect(before.entries.slice(0, 3).map(({ action }) => action)).toEqual(["delete", "stop", "create"]);
    await server.patch(`/api/v1/telephony/numbers/${body.id}`, { agent_id: null });
    expect((await server.get<Log>("/api/v1/audit-log")).body.total).toBe(before.total);
  });
});
