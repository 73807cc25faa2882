import { ACME_AGENT } from "../../../src/dev/demo-data.ts";
import type { Service } from "../service.ts";
import type { Trip } from "../yardstick/trips.ts";
import type { Load } from "./load.ts";

/** One line of the table: a request, and the round trips that a minimal service would make for it. */
export interface Row {
  name: string;
  load: Load;
  floor: Trip[];
}

const AGENTS = 50;
/** The number of the account's FAQs and playbooks that each agent has. */
const JOINED = 3;
const SHOP = "https://shop.example";
const NUMBER = "+12025550100";
const UNKNOWN = "019aa5bd-0000-7000-8000-000000000000";
const JSON_TYPE = { "content-type": "application/json" };

const gate: Trip = { to: "object" };
const objectWrite: Trip = { to: "object", writes: 1 };

/** Fills the account of reads with 50 agents, creates another account for writes, and returns the requests on both. */
export async function prepareRows(service: Service): Promise<Row[]> {
  const { client, owner, headers } = service;
  const { faqs } = await client.get<{ faqs: { id: string }[] }>("/api/v1/faqs");
  const { playbooks } = await client.get<{ playbooks: { id: string }[] }>("/api/v1/playbooks");
  const agents: string[] = (await client.get<{ id: string }[]>("/api/v1/agents")).map(({ id }) => id);
  while (agents.length < AGENTS) {
    const agent = { ...ACME_AGENT, name: `Reception ${agents.length}` };
    agents.push((await client.post<{ id: string }>("/api/v1/agents", agent)).id);
  }
  for (const [n, id] of agents.entries()) {
    for (let i = 0; i < JOINED; i++) {
      await client.post(`/api/v1/agents/${id}/faqs`, { faq_id: faqs[(n + i) % faqs.length]?.id });
      await client.post(`/api/v1/agents/${id}/playbooks`, { playbook_id: playbooks[(n + i) % playbooks.length]?.id });
    }
  }
  const agent = agents.at(-1) ?? "";
  const widgetKey = { name: "shop", agent_id: agent, domain_allowlist: [SHOP] };
  const { key: client_key } = await client.post<{ key: string }>("/api/v1/widget-keys", widgetKey);
  const writer = await service.openAccount("writes");
  const caller = await writer.client.post<{ id: string }>("/api/v1/agents", ACME_AGENT);
  await writer.client.post("/api/v1/telephony/numbers", { e164: NUMBER, provider: "sandbox" });

  const get = (path: string, headers: Record<string, string>, status = 200): Load => ({
    method: "GET",
    path,
    headers,
    status,
  });
  const post = (path: string, headers: Record<string, string>, body: object, status: number): Load => ({
    method: "POST",
    path,
    headers: { ...headers, ...JSON_TYPE },
    body: JSON.stringify(body),
    status,
  });
  const row = (name: string, load: Load, ...floor: Trip[]): Row => ({ name, load, floor });
  const order = { agent_id: caller.id, from_number: NUMBER, to_number: "+12025550199" };
  const wrong = { authorization: `Bearer sk_live_bench_${"x".repeat(38)}` };
  const atShop = { origin: SHOP };
  return [
    row("GET one agent with its joins", get(`/api/v1/agents/${agent}`, headers), gate),
    row("GET 50 agents, by key", get("/api/v1/agents", headers), gate),
    row("GET 50 agents, by console token", get("/api/v1/agents", owner.headers), gate),
    row("GET tools, searched", get("/api/v1/tools?search=call", headers), gate),
    row("GET audit log", get("/api/v1/audit-log", owner.headers), gate, { to: "d1", reads: 2, rows: 10 }),
    row("GET widget config, warm", get(`/api/v1/widget/config?client_key=${client_key}`, atShop)),
    row("POST guest session", post("/api/v1/widget/auth/guest", atShop, { client_key }, 200), {
      to: "d1",
      reads: 4,
      rows: 1,
    }),
    row("401, key with a wrong checksum", get("/api/v1/agents", wrong, 401)),
    row("404, no such agent, kept", get(`/api/v1/agents/${UNKNOWN}`, headers, 404), gate),
    row("404, no such path", get("/api/v1/nowhere", headers, 404)),
    row("POST agent", post("/api/v1/agents", writer.headers, ACME_AGENT, 201), gate, gate, { to: "d1", writes: 3 }),
    // The trips: admit and read, lease, record, place at the carrier, record its answer.
    row(
      "POST originate, sandbox",
      post("/api/v1/calls/originate", writer.headers, order, 200),
      gate,
      { to: "d1", reads: 4, rows: 1 },
      objectWrite,
      { to: "d1", writes: 3 },
      objectWrite,
      { to: "d1", writes: 1 },
    ),
  ];
}

/** Returns the answer to one request after checking its status. */
export async function answerTo(base: string, { method, path, headers, body, status }: Load): Promise<Response> {
  const answer = await fetch(base + path, { method, headers, ...(body !== undefined && { body }) });
  if (answer.status !== status) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}
