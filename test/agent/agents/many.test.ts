import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { agentFaqs, agentPlaybooks, agents } from "../../../src/kernel/db/schema/index.ts";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { tenant } from "../../support/client.ts";
import { countRoundTrips } from "../../support/counting.ts";

const AGENTS = 2_000;

it("GET /agents returns 2,000 agents with 5 FAQs and 3 playbooks each in one round trip", async () => {
  const { server, user, account } = await tenant();
  const first = (await server.post<Record<string, never>>("/api/v1/agents", { name: "first" })).body;
  const { faqs } = (await server.get<{ faqs: { id: string }[] }>("/api/v1/faqs")).body;
  const { playbooks } = (await server.get<{ playbooks: { id: string }[] }>("/api/v1/playbooks")).body;
  const store = accountStore(env, account, { actor: "test", request_id: "" });
  const ids = Array.from({ length: AGENTS - 1 }, () => crypto.randomUUID());
  const at = new Date().toISOString();
  const { faqs: _, playbooks: __, ...row } = first;
  await store.record(
    store.upsertMany(
      agents,
      ids.map((id) => ({
        ...(row as unknown as typeof agents.$inferSelect),
        id,
        active_prompt_id: null,
        created_at: at,
      })),
      { target: [agents.account, agents.id], columns: ["name"] },
    ),
  );
  const all = [String(first.id), ...ids];
  await store.record(
    store.upsertMany(
      agentFaqs,
      all.flatMap((agent_id) =>
        faqs.slice(0, 5).map(({ id }) => ({ agent_id, faq_id: id, position: 0, created_at: at })),
      ),
      { target: [agentFaqs.account, agentFaqs.agent_id, agentFaqs.faq_id], columns: ["created_at"] },
    ),
    store.upsertMany(
      agentPlaybooks,
      all.flatMap((agent_id) =>
        playbooks.slice(0, 3).map(({ id }) => ({ agent_id, playbook_id: id, position: 0, created_at: at })),
      ),
      {
        target: [agentPlaybooks.account, agentPlaybooks.agent_id, agentPlaybooks.playbook_id],
        columns: ["created_at"],
      },
    ),
  );
  await user.get("/api/v1/faqs");
  const trips = await countRoundTrips("/api/v1/agents", user.headers);
  expect(trips).toMatchObject({ status: 200, d1: 1, objects: 1 });
  const list = trips.body as { faqs: unknown[]; playbooks: unknown[] }[];
  expect(list).toHaveLength(AGENTS);
  expect(list.every((agent) => agent.faqs.length === 5 && agent.playbooks.length === 3)).toBe(true);
});
