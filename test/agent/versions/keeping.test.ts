import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { deleteOldVersions } from "../../../src/agent/versions/retention.ts";
import { agentFaqs, agents } from "../../../src/kernel/db/schema/index.ts";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { DAY_MS } from "../../../src/kernel/time.ts";
import { contactsCsv, ready, upload } from "../../campaign/support.ts";
import { type Tenant, tenant } from "../../support/client.ts";
import { countRoundTrips } from "../../support/counting.ts";
import { agentPath, newAgent, tries, versionsOf, versionsPath } from "./support.ts";

const AGENTS = 5_000;
const NEVER = Number.POSITIVE_INFINITY;

/** Runs the daily job this many days from now. */
const daysLater = (days: number) => {
  const at = new Date(Date.now() + days * DAY_MS);
  at.setUTCHours(3, 5);
  return deleteOldVersions(env, at.getTime(), NEVER);
};

/** Creates and uses this many versions of an agent, one after the other. */
async function used(who: Tenant, id: string, greetings: string[]): Promise<void> {
  for (const greeting_message of greetings) {
    await who.server.patch(agentPath(id), { greeting_message });
    await tries(who, id);
  }
}

const countOf = async (table: string, account: string) =>
  (await env.DB.prepare(`SELECT count(*) n FROM ${table} WHERE account = ?`).bind(account).first<{ n: number }>())?.n;

it("an FAQ of 5,000 agents is edited in one write without creating a version", async () => {
  const { server, account } = await tenant();
  const first = await newAgent(server);
  const { body: faq } = await server.post<{ id: string }>("/api/v1/faqs", { name: "hours", content: "9 to 5" });
  const store = accountStore(env, account, { actor: "test", request_id: "" });
  const [row] = await store.read(store.first(agents));
  if (!row) throw new Error("no agent");
  const ids = Array.from({ length: AGENTS - 1 }, () => crypto.randomUUID());
  const at = new Date().toISOString();
  await store.record(
    store.upsertMany(
      agents,
      ids.map((id) => Object.assign({}, row, { id, active_prompt_id: null })),
      { target: [agents.account, agents.id], columns: ["name"] },
    ),
    store.upsertMany(
      agentFaqs,
      [first, ...ids].map((agent_id) => ({ agent_id, faq_id: faq.id, position: 0, created_at: at })),
      { target: [agentFaqs.account, agentFaqs.agent_id, agentFaqs.faq_id], columns: ["created_at"] },
    ),
  );
  const edited = await countRoundTrips("/api/v1/faqs/hours", server.headers, {
    method: "PUT",
    body: { content: "10 to 6" },
  });
  // The row is read before the change, as for any update.
  expect(edited).toMatchObject({ status: 200, objects: 2 });
  expect(edited.d1).toBeLessThanOrEqual(1);
  expect([await countOf("agent_versions", account), await countOf("version_bodies", account)]).toEqual([0, 0]);
});

it("unneeded versions are deleted once a day with their bodies, except for the last 50, published and pinned ones", async () => {
  const who = await tenant();
  const { server, account } = who;
  const settings = await ready(who);
  const id = settings.agent_id;
  await server.post("/api/v1/faqs", { name: "hours", content: "9 to 5" });
  await server.post(`${agentPath(id)}/faqs`, { faq_id: "hours" });
  await used(who, id, ["1", "2"]);
  await server.delete(`${agentPath(id)}/faqs/hours`);
  await server.patch(agentPath(id), { greeting_message: "published" });
  await server.post(`${agentPath(id)}/publish`);
  await used(who, id, ["pinned", "5"]);
  const pinned = await upload(server, contactsCsv(1), { ...settings, agent_version: "4" });
  expect(pinned.body).toMatchObject({ agent_version: 4 });
  // As if the agent had had 50 more versions since.
  await env.DB.prepare("UPDATE agent_versions SET number = number + 60 WHERE account = ? AND number = 5")
    .bind(account)
    .run();
  await daysLater(400);
  expect((await versionsOf(server, id)).map(({ number }) => number)).toEqual([65, 4, 3, 2, 1]);
  expect((await server.patch("/api/v1/call-settings", { retention_days: 30 })).status).toBe(200);
  await daysLater(30);
  expect((await versionsOf(server, id)).length).toBe(5);
  await daysLater(32);
  expect((await versionsOf(server, id)).map(({ number }) => number)).toEqual([65, 4, 3]);
  expect(await countOf("version_bodies", account)).toBe(0);
  await server.delete(`/api/v1/campaigns/${pinned.body.id}`);
  await daysLater(32);
  expect((await versionsOf(server, id)).map(({ number }) => number)).toEqual([65, 3]);
  // The numbers continue from there.
  await used(who, id, ["6"]);
  expect((await versionsOf(server, id))[0]?.number).toBe(66);
});

it("the body of a restored attachment stays even if no version has it any more", async () => {
  const who = await tenant();
  const { server, account } = who;
  const id = await newAgent(server);
  await server.post("/api/v1/faqs", { name: "hours", content: "9 to 5" });
  await server.post(`${agentPath(id)}/faqs`, { faq_id: "hours" });
  await tries(who, id);
  await server.put("/api/v1/faqs/hours", { content: "10 to 6" });
  await server.post(`${versionsPath(id)}/1/restore`);
  await env.DB.prepare("DELETE FROM agent_versions WHERE account = ?").bind(account).run();
  await daysLater(1);
  expect((await tries(who, id)).faqs).toMatchObject([{ content: "9 to 5" }]);
});

it("versions are deleted with their agent", async () => {
  const who = await tenant();
  const id = await newAgent(who.server);
  await who.server.post(`${agentPath(id)}/publish`);
  expect((await who.server.delete(agentPath(id))).status).toBe(204);
  expect(await countOf("agent_versions", who.account)).toBe(0);
});
