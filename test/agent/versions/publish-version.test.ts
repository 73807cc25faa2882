import { describe, expect, it } from "vitest";
import { answering } from "../../phone/inbound/support.ts";
import { apiKey, type Tenant, tenant } from "../../support/client.ts";
import { agentPath, held, newAgent, tries, type Version, versionsOf } from "./support.ts";

interface Agent {
  status: string;
  greeting_message: string;
  published_version: number | null;
}
const TARGETS = [{ label: "Front desk", number: "+12025550177" }];

/** Creates an agent with two published versions and a draft with a third text. The second version is live. */
async function edited(who: Tenant, id: string): Promise<string> {
  const path = agentPath(id);
  await who.server.post(`${path}/publish`);
  await who.server.patch(path, { greeting_message: "two" });
  await who.server.post(`${path}/publish`);
  await who.server.patch(path, { greeting_message: "three" });
  return path;
}

describe("publishing a version by its number", () => {
  it("makes that version live, and leaves the draft unchanged", async () => {
    const who = await answering({ greeting_message: "one", versioning: "manual" });
    const path = await edited(who, who.agent_id);
    const before = (await who.server.get<Agent>(path)).body;
    const published = await who.server.post<Version>(`${path}/publish`, { version: 1, note: "back again" });
    expect(published.status, JSON.stringify(published.body)).toBe(200);
    expect(published.body).toMatchObject({ number: 1, note: "back again", live: true });
    expect((await held(who)).agent).toMatchObject({ version: 1, greeting_message: "one" });
    const after = (await who.server.get<Agent>(path)).body;
    expect(after).toMatchObject({ greeting_message: "three", published_version: 1 });
    expect({ ...after, published_version: 0, updated_at: "" }).toEqual({
      ...before,
      published_version: 0,
      updated_at: "",
    });
    expect((await versionsOf(who.server, who.agent_id)).filter(({ live }) => live)).toEqual([published.body]);
  });

  it("returns a live version unchanged", async () => {
    const { server } = await tenant();
    const path = agentPath(await newAgent(server, { versioning: "manual" }));
    const first = await server.post<Version>(`${path}/publish`, { note: "first" });
    const again = await server.post<Version>(`${path}/publish`, { version: 1 });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("etag")).toBe(first.headers.get("etag"));
  });

  it("accepts a version that was only tried", async () => {
    const who = await tenant();
    const id = await newAgent(who.server, { versioning: "manual", greeting_message: "one" });
    await tries(who, id);
    await who.server.patch(agentPath(id), { greeting_message: "two" });
    const published = await who.server.post<Version>(`${agentPath(id)}/publish`, { version: 1 });
    expect(published.body).toMatchObject({ number: 1, live: true });
    expect((await who.server.get<Agent>(agentPath(id))).body).toMatchObject({ status: "active", published_version: 1 });
  });

  it("publishing a version is audited once", async () => {
    const who = await answering({ greeting_message: "one", versioning: "manual" });
    const path = await edited(who, who.agent_id);
    const count = async () => {
      type Entries = { entries: { action: string }[] };
      const { entries } = (await who.server.get<Entries>("/api/v1/audit-log?resource=agent&limit=100")).body;
      return entries.filter(({ action }) => action === "publish").length;
    };
    const before = await count();
    for (let times = 0; times < 2; times++) await who.server.post(`${path}/publish`, { version: 1 });
    expect((await count()) - before).toBe(1);
  });

  it("answers 404 for a version that the agent does not have", async () => {
    const { server } = await tenant();
    const path = agentPath(await newAgent(server, { versioning: "manual" }));
    await server.post(`${path}/publish`);
    const answer = await server.post(`${path}/publish`, { version: 7 });
    expect([answer.status, answer.code]).toEqual([404, "not_found"]);
    expect((await server.get<Agent>(path)).body).toMatchObject({ published_version: 1 });
  });

  it("publishing a version is refused under auto versioning, where the draft is live", async () => {
    const { server } = await tenant();
    const path = agentPath(await newAgent(server, { greeting_message: "one" }));
    await server.post(`${path}/publish`);
    await server.patch(path, { greeting_message: "two" });
    const answer = await server.post(`${path}/publish`, { version: 1 });
    expect([answer.status, answer.code]).toEqual([409, "versioning_auto"]);
  });

  it.each([0, -1, 1.5, "1", null])("a version's number is refused as %s", async (version) => {
    const { server } = await tenant();
    const path = agentPath(await newAgent(server, { versioning: "manual" }));
    await server.post(`${path}/publish`);
    const answer = await server.post(`${path}/publish`, { version });
    expect([answer.status, answer.code]).toEqual([400, "invalid_request"]);
  });

  it("requires the scopes for what that version widens, regardless of the draft", async () => {
    const who = await tenant();
    const id = await newAgent(who.server, { versioning: "manual", transfer_targets: TARGETS });
    const path = agentPath(id);
    await who.server.post(`${path}/publish`);
    await who.server.patch(path, { transfer_targets: [] });
    await who.server.post(`${path}/publish`);
    const { server: builder } = await apiKey(who.user, { scopes: ["build"] });
    expect((await builder.post(`${path}/publish`)).status).toBe(200);
    const refused = await builder.post<string>(`${path}/publish`, { version: 1 });
    expect([refused.status, refused.code]).toEqual([403, "missing_scope"]);
    expect(JSON.stringify(refused.body)).toContain("dial");
    expect((await who.server.get<Agent>(path)).body).toMatchObject({ published_version: 2 });
    expect((await who.server.post(`${path}/publish`, { version: 1 })).status).toBe(200);
  });

  it("requires that the required tests pass on that version", async () => {
    const { server } = await tenant();
    const path = agentPath(await newAgent(server, { versioning: "manual", greeting_message: "one" }));
    await server.post(`${path}/publish`);
    await server.patch(path, { greeting_message: "two" });
    await server.post(`${path}/publish`);
    const test = { name: "greets", required: true, steps: [{ says: "Hello" }], expect: [{ said: "hello" }] };
    const made = await server.post(`${path}/tests`, test);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const refused = await server.post(`${path}/publish`, { version: 1 });
    expect([refused.status, refused.code]).toEqual([409, "tests_not_run"]);
    const forced = await server.post<Version>(`${path}/publish`, { version: 1, force: true });
    expect(forced.body, JSON.stringify(forced.body)).toMatchObject({ number: 1, live: true });
  });
});
