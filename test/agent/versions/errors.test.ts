import { describe, expect, it } from "vitest";
import { contactsCsv, ready, upload } from "../../campaign/support.ts";
import { answering } from "../../phone/inbound/support.ts";
import { tenant } from "../../support/client.ts";
import { page, widgetTenant } from "../../support/widget.ts";
import { agentPath, calls, newAgent, tries, versionsOf, versionsPath } from "./support.ts";

const UNKNOWN = crypto.randomUUID();

describe("an agent under manual versioning that was never published", () => {
  it("neither places nor answers calls", async () => {
    const who = await answering({ versioning: "manual" });
    const order = { agent_id: who.agent_id, from_number: "+12025550100", to_number: "+13035550110" };
    const placed = await who.server.post("/api/v1/calls/originate", order);
    expect([placed.status, placed.code]).toEqual([409, "not_published"]);
    expect((await calls(who)).answer).toMatchObject({ action: "reject" });
    await who.server.post(`${agentPath(who.agent_id)}/publish`);
    expect((await who.server.post("/api/v1/calls/originate", order)).status).toBe(200);
  });

  it("can be tried as a draft, and as the live version once there is one", async () => {
    const who = await tenant();
    const id = await newAgent(who.server, { versioning: "manual" });
    const live = await who.server.post(`${agentPath(id)}/session`, { version: "live" });
    expect([live.status, live.code]).toEqual([409, "not_published"]);
    expect((await tries(who, id)).agent.version).toBe(1);
    await who.server.post(`${agentPath(id)}/publish`);
    expect((await who.server.post(`${agentPath(id)}/session`, { version: "live" })).status).toBe(200);
  });

  it("starts no campaign", async () => {
    const who = await tenant();
    const settings = await ready(who);
    await who.server.patch(agentPath(settings.agent_id), { versioning: "manual" });
    const { body } = await upload(who.server, contactsCsv(1), settings);
    const path = `/api/v1/campaigns/${body.id}`;
    const plan = await who.server.get<{ warnings: { code: string }[] }>(`${path}/plan`);
    expect(plan.body.warnings.map(({ code }) => code)).toContain("not_published");
    const started = await who.server.post(`${path}/start`);
    expect([started.status, started.code]).toEqual([409, "not_published"]);
  });

  it("an agent under manual versioning that was never published is not available to visitors", async () => {
    const who = await widgetTenant();
    const begin = () => page().guest(who.widgetKey.key);
    expect((await begin()).status).toBe(200);
    await who.server.patch(agentPath(who.agentId), { versioning: "manual" });
    expect(await begin()).toMatchObject({ status: 403, code: "widget_disabled" });
    await who.server.post(`${agentPath(who.agentId)}/publish`);
    expect((await begin()).status).toBe(200);
  });
});

describe("a version that does not exist", () => {
  it("a version that does not exist answers 404", async () => {
    const { server } = await tenant();
    const id = await newAgent(server);
    const answers = [
      await server.get(versionsPath(UNKNOWN)),
      await server.get(`${versionsPath(id)}/1`),
      await server.get(`${versionsPath(id)}/draft/diff/1`),
      await server.post(`${agentPath(UNKNOWN)}/publish`),
      await server.post(`${versionsPath(id)}/7/restore`),
      await server.post(`${agentPath(id)}/session`, { version: 7 }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
  });
});

describe("a version's number", () => {
  it.each(["1e0", "0x1", "%201", "+1", "1.0", "-1", "0", "9".repeat(20), "one"])(
    "a version's number is not %s",
    async (number) => {
      const { server } = await tenant();
      const id = await newAgent(server);
      await server.post(`${agentPath(id)}/publish`);
      expect((await server.get(`${versionsPath(id)}/1`)).status).toBe(200);
      for (const path of [`${versionsPath(id)}/${number}`, `${versionsPath(id)}/draft/diff/${number}`])
        expect((await server.get(path)).status, path).toBe(404);
    },
  );
});

describe("a version's note", () => {
  it("a version's note is limited to text that can be stored", async () => {
    const { server } = await tenant();
    const path = `${agentPath(await newAgent(server))}/publish`;
    for (const note of ["a\0b", "a\ud800b"]) {
      const answer = await server.post(path, { note });
      expect([answer.status, answer.code], JSON.stringify(note)).toEqual([400, "invalid_request"]);
    }
  });
});

describe("an outdated change", () => {
  it("an outdated change is neither published nor overwritten by restoring a version", async () => {
    const who = await tenant();
    const { server } = who;
    const id = await newAgent(server, { greeting_message: "one" });
    await tries(who, id);
    const { headers } = await server.get(agentPath(id));
    const seen = { "if-match": headers.get("etag") ?? "" };
    await server.patch(agentPath(id), { greeting_message: "two" });
    for (const path of [`${agentPath(id)}/publish`, `${versionsPath(id)}/1/restore`]) {
      const answer = await server.send("POST", path, undefined, seen);
      expect([answer.status, answer.code], path).toEqual([412, "changed_meanwhile"]);
    }
    const now = (await server.get(agentPath(id))).headers.get("etag") ?? "";
    const published = await server.send("POST", `${agentPath(id)}/publish`, undefined, { "if-match": now });
    expect(published.status, JSON.stringify(published.body)).toBe(200);
    const etag = published.headers.get("etag") ?? "";
    const restored = await server.send("POST", `${versionsPath(id)}/1/restore`, undefined, { "if-match": etag });
    expect(restored.status, JSON.stringify(restored.body)).toBe(200);
  });
});

describe("a deleted item", () => {
  it("a deleted item is not restored while another has its name", async () => {
    const who = await tenant();
    const { server } = who;
    const id = await newAgent(server, { greeting_message: "one" });
    await server.post("/api/v1/faqs", { name: "hours", content: "9 to 5" });
    await server.post(`${agentPath(id)}/faqs`, { faq_id: "hours" });
    await tries(who, id);
    await server.delete("/api/v1/faqs/hours");
    await server.patch(agentPath(id), { greeting_message: "two" });
    const other = await server.post<{ id: string }>("/api/v1/faqs", { name: "hours", content: "another" });
    const refused = await server.post<string>(`${versionsPath(id)}/1/restore`);
    expect([refused.status, refused.code]).toEqual([409, "name_taken"]);
    expect(JSON.stringify(refused.body)).toContain("hours");
    expect((await server.get(agentPath(id))).body).toMatchObject({ greeting_message: "two", faqs: [] });
    await server.delete(`/api/v1/faqs/${other.body.id}`);
    expect((await server.post(`${versionsPath(id)}/1/restore`)).status).toBe(200);
    expect((await tries(who, id)).agent.version).toBe(1);
  });
});

describe("the quota of versions", () => {
  it("deletes the oldest version that is neither published nor in use, instead of refusing a new one", async () => {
    const who = await tenant({ quotas: { versions: 3 } });
    const { server } = who;
    const id = await newAgent(server, { greeting_message: "0", versioning: "manual" });
    await server.post(`${agentPath(id)}/publish`);
    for (const greeting_message of ["1", "2", "3", "4"]) {
      await server.patch(agentPath(id), { greeting_message });
      await tries(who, id);
    }
    expect((await versionsOf(server, id)).map(({ number }) => number)).toEqual([5, 4, 1]);
    const { body } = await server.get<{ quotas: Record<string, unknown> }>("/api/v1/quotas");
    expect(body.quotas.versions).toEqual({ limit: 3, used: 3 });
  });
});
