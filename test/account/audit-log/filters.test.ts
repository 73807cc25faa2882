import { describe, expect, it } from "vitest";
import { tenant } from "../../support/client.ts";
import { type Log, log } from "./support.ts";

describe("the filters of the audit log", () => {
  it("select by action, resource, actor and time, also combined, and count the entries", async () => {
    const { server, user, key } = await tenant();
    const { id } = (await server.post<{ id: string }>("/api/v1/agents", { name: "A" })).body;
    await user.patch(`/api/v1/agents/${id}`, { name: "B" });
    await user.post("/api/v1/tools", { name: "mine" });
    await server.put("/api/v1/tools/mine", { description: "d" });
    const all = await log(user);
    const actor = encodeURIComponent(`api_key:${key.id}`);
    const names = async (query: string) => (await log(user, query)).map(({ action, resource }) => [action, resource]);
    expect(await names("resource=agent")).toEqual([
      ["update", "agent"],
      ["create", "agent"],
    ]);
    expect(await names("action=update")).toEqual([
      ["update", "tool"],
      ["update", "agent"],
    ]);
    expect(await names(`actor=${actor}`)).toEqual([
      ["update", "tool"],
      ["create", "agent"],
    ]);
    expect(await names(`actor=${actor}&resource=tool&action=update`)).toEqual([["update", "tool"]]);
    expect(await names("resource=nothing")).toEqual([]);
    const page = (await user.get<Log>("/api/v1/audit-log?action=update&limit=1&offset=1")).body;
    expect([page.total, page.entries.map(({ resource }) => resource)]).toEqual([2, ["agent"]]);

    const third = all[2]?.at ?? "";
    const since = (await user.get<Log>(`/api/v1/audit-log?since=${third}`)).body;
    const until = (await user.get<Log>(`/api/v1/audit-log?until=${third}`)).body;
    expect(since.entries).toEqual(all.filter(({ at }) => at >= third));
    expect(until.entries).toEqual(all.filter(({ at }) => at < third));
    expect(since.total + until.total).toBe(all.length);
    const elsewhere = new Date(Date.parse(third) + 3_600_000).toISOString().replace("Z", "+01:00");
    expect(await log(user, `since=${encodeURIComponent(elsewhere)}`)).toEqual(since.entries);
    expect(await log(user, `since=${third}&until=${third}`)).toEqual([]);
  });

  it.each([
    "since=yesterday",
    "since=2026-13-01T00:00:00Z",
    "until=2026-01-01",
    "until=2026-01-01T00:00:00",
    "action=",
    "resource=",
    "actor=",
    `actor=${"x".repeat(301)}`,
    "limit=0",
    "limit=101",
    "offset=-1",
    "since=",
  ])("the audit log refuses the filter %s with 400", async (query) => {
    const { user } = await tenant();
    expect((await user.get(`/api/v1/audit-log?${query}`)).status).toBe(400);
  });
});
