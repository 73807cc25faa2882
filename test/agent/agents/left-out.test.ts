import { describe, expect, it } from "vitest";
import type { SessionSnapshot } from "../../../src/conversation/runtime/session/session.ts";
import { instructionsOf } from "../../../src/conversation/runtime/turns/instructions.ts";
import { FROM, upload } from "../../campaign/support.ts";
import { type Tenant, tenant } from "../../support/client.ts";
import { countRoundTrips } from "../../support/counting.ts";
import { tries } from "../versions/support.ts";

type LeftOut = { kind: "playbook" | "faq"; name: string }[];
type Agent = { id: string; left_out: LeftOut; faqs: { id: string; name: string }[]; revision?: number };

const faq = (name: string, chars: number) => ({
  name,
  title: name,
  summary: "s",
  content: `${"x".repeat(chars - 4)}.END`,
});

interface Full extends Tenant {
  id: string;
  path: string;
  attached: Agent;
}

/**
 * Creates an agent whose third FAQ no longer fits after its playbook and the other two, while a fourth one still fits.
 */
async function full(): Promise<Full> {
  const who = await tenant();
  const { server } = who;
  const agent = await server.post<Agent>("/api/v1/agents", { name: "Reception", status: "active" });
  expect(agent.body.left_out).toEqual([]);
  const path = `/api/v1/agents/${agent.body.id}`;
  await server.post("/api/v1/playbooks", { name: "steps", content: `${"p".repeat(20_000)}.END` });
  await server.post(`${path}/playbooks`, { playbook_id: "steps" });
  for (const [name, chars] of [
    ["one", 15_000],
    ["two", 15_000],
    ["three", 15_000],
    ["four", 500],
  ] as const)
    await server.post("/api/v1/faqs", faq(name, chars));
  for (const faq_id of ["one", "two"]) {
    const { body } = await server.post<Agent>(`${path}/faqs`, { faq_id });
    expect(body.left_out).toEqual([]);
  }
  const { body: attached } = await server.post<Agent>(`${path}/faqs`, { faq_id: "three" });
  await server.post<Agent>(`${path}/faqs`, { faq_id: "four" });
  return { ...who, id: agent.body.id, path, attached };
}

const THREE = [{ kind: "faq", name: "three" }];
const leftOutOf = async ({ server, path }: Full) => (await server.get<Agent>(path)).body.left_out;

describe("playbooks and FAQs that exceed 60,000 characters together", () => {
  it("a playbook or FAQ that does not fit is named when it is attached and by the agent afterwards", async () => {
    const who = await full();
    expect(who.attached.left_out).toEqual(THREE);
    expect(await leftOutOf(who)).toEqual(THREE);
    const { body } = await who.server.get<Agent[]>("/api/v1/agents");
    expect(body.map(({ left_out }) => left_out)).toEqual([THREE]);
  });

  it("reach a conversation completely or not at all, and its runtime is told which do not", async () => {
    const who = await full();
    const session = (await tries(who, who.id)) as unknown as SessionSnapshot;
    expect(session.faqs.map(({ name }) => name)).toEqual(["one", "two", "four"]);
    expect(session.playbooks.map(({ name }) => name)).toEqual(["steps"]);
    expect(session.left_out).toEqual(THREE);
    const instructions = instructionsOf(session);
    expect(instructions.split(".END")).toHaveLength(5);
    expect(instructions).not.toContain("# three");
  });

  it("playbooks and FAQs that fit are selected in the agent's order", async () => {
    const who = await full();
    const { faqs } = (await who.server.get<Agent>(who.path)).body;
    const third = faqs.find(({ name }) => name === "three")?.id;
    const { body } = await who.server.post<Agent>(`${who.path}/order`, { faqs: [third] });
    expect(body.left_out).toEqual([{ kind: "faq", name: "two" }]);
  });

  it("editing a playbook or FAQ updates what fits and the agent's ETag", async () => {
    const who = await full();
    const before = await who.server.get<Agent>(who.path);
    const read = (etag: string) => countRoundTrips(who.path, { ...who.server.headers, "if-none-match": etag });
    const etag = before.headers.get("etag") ?? expect.fail("no ETag");
    expect((await read(etag)).status).toBe(304);
    await who.server.put("/api/v1/faqs/one", { content: "y".repeat(40_000) });
    const after = await read(etag);
    expect(after).toMatchObject({ status: 200, d1: 1 });
    expect(after.headers.get("etag")).not.toBe(etag);
    // This FAQ is now too long to fit after the playbook, which leaves room for the third one.
    expect((after.body as Agent).left_out).toEqual([{ kind: "faq", name: "one" }]);
    await who.server.put("/api/v1/faqs/one", { content: "short" });
    expect(await leftOutOf(who)).toEqual([]);
  });

  it("restoring a version updates which playbooks and FAQs fit", async () => {
    const who = await full();
    await who.server.patch("/api/v1/account", { timezone: "America/Denver" });
    const { number } = (await who.server.post<{ number: number }>(`${who.path}/publish`)).body;
    await who.server.put("/api/v1/faqs/three", { content: "short" });
    expect(await leftOutOf(who)).toEqual([]);
    const version = await who.server.get<{ agent: { left_out: LeftOut } }>(`${who.path}/versions/${number}`);
    expect(version.body.agent.left_out).toEqual(THREE);
    const restored = await who.server.post<Agent>(`${who.path}/versions/${number}/restore`);
    expect(restored.body.left_out).toEqual(THREE);
    expect(await leftOutOf(who)).toEqual(THREE);
  });

  it("which playbooks and FAQs fit is read in one round trip", async () => {
    const { server, path } = await full();
    // Invalidates the cached responses.
    for (const one of [path, "/api/v1/agents"]) {
      await server.patch("/api/v1/widget-settings", { logo_url: "" });
      expect(await countRoundTrips(one, server.headers), one).toMatchObject({ status: 200, d1: 1, objects: 1 });
    }
  });
});

describe("the entries that an agent leaves out", () => {
  const codesOf = async ({ server }: Tenant, id: string) => {
    const { warnings } = (
      await server.get<{ warnings: { code: string; message: string }[] }>(`/api/v1/campaigns/${id}/plan`)
    ).body;
    return warnings.filter(({ code }) => code === "context_left_out").map(({ message }) => message);
  };

  it("the plan of a campaign warns of entries that its agent's version leaves out", async () => {
    const who = await full();
    const { number } = (await who.server.post<{ number: number }>(`${who.path}/publish`)).body;
    await who.server.post("/api/v1/telephony/numbers", { e164: FROM, provider: "sandbox" });
    const csv = "phone_number\n+13034000010\n";
    const settings = { agent_id: who.id, from_number: FROM };
    const live = (await upload(who.server, csv, settings)).body.id;
    const pinned = (await upload(who.server, csv, { ...settings, agent_version: String(number) })).body.id;
    expect(await codesOf(who, live)).toEqual([expect.stringContaining("go without the FAQ three: shorten")]);
    expect(await codesOf(who, pinned)).toHaveLength(1);
    const strict = await who.server.post(`/api/v1/campaigns/${live}/start?strict=true`);
    expect([strict.status, strict.code]).toEqual([409, "preflight_warnings"]);
    await who.server.put("/api/v1/faqs/three", { content: "short" });
    expect(await codesOf(who, live)).toEqual([]);
    expect(await codesOf(who, pinned)).toHaveLength(1);
  });

  it("a number's check warns of left-out entries without failing", async () => {
    const who = await full();
    const number = { e164: FROM, provider: "sandbox", agent_id: who.id };
    const { id } = (await who.server.post<{ id: string }>("/api/v1/telephony/numbers", number)).body;
    type Checked = { checks: { ok: boolean }[]; warnings: { code: string; message: string }[] };
    const check = async () => (await who.server.post<Checked>(`/api/v1/telephony/numbers/${id}/check`)).body;
    const found = await check();
    expect(found.warnings).toEqual([{ code: "context_left_out", message: expect.stringContaining("the FAQ three") }]);
    expect(found.checks.every(({ ok }) => ok)).toBe(true);
    await who.server.put("/api/v1/faqs/three", { content: "short" });
    expect((await check()).warnings).toEqual([]);
  });
});
