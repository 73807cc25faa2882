import { exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { idBeside } from "../../src/kernel/instant-ids.ts";
import { newEvent } from "../../src/records/events/event.ts";
import type { EventData } from "../../src/records/events/types.ts";
import type { LedgerReport } from "../../src/records/ledger/report.ts";
import { contactsCsv, FROM, ready, upload } from "../campaign/support.ts";
import { held, later } from "../records/conversations/support.ts";
import { list, take } from "../records/events/support.ts";
import { apiKey, type Client, call, type Tenant, tenant } from "../support/client.ts";
import { callAt, haveVolumes, ledgerOf } from "../support/ledger.ts";

const MONTH = { since: "2026-11-01T00:00:00.000Z", until: "2026-12-01T00:00:00.000Z" };
const CALLS = 24;

const agentOf = async ({ user }: Pick<Tenant, "user">) =>
  (await user.post<{ id: string }>("/api/v1/agents", { name: "a" })).body.id;
const serverOf = async (owner: Tenant, ...agent_ids: string[]) => (await apiKey(owner.user, { agent_ids })).server;

/**
 * Creates an account with three agents, and a key that is limited to the first two. The calls of the three agents
 * alternate, in two volumes.
 */
async function threeAgents() {
  const owner = await tenant();
  await haveVolumes(owner, ["2026-11-01", "2026-11-08"]);
  const agents = [await agentOf(owner), await agentOf(owner), await agentOf(owner)] as const;
  const [one, two, foreign] = agents;
  const calls = Array.from({ length: CALLS }, (_, i) => {
    const at = new Date(Date.parse("2026-11-05T10:00:00.000Z") + i * 6 * 3_600_000).toISOString();
    return callAt(at, { agent_id: agents[i % 3] ?? "", to_number: i % 2 === 0 ? "+13035550110" : "+13035550111" });
  });
  await ledgerOf(owner).report(calls);
  return { owner, one, two, foreign, both: await serverOf(owner, one, two), calls };
}

/** Returns the ids of the calls of these agents, newest first. */
const idsOf = (calls: (LedgerReport & { part: "line" })[], ...agents: string[]) =>
  calls.flatMap(({ id, line }) => (agents.includes(line.agent_id) ? [id] : [])).reverse();

interface Calls {
  calls: { call_id: string }[];
  total: number;
  total_at_least: boolean;
  next: string | null;
}

/** Returns all calls of a list, page by page, and the totals that its pages report. */
async function allCalls(client: Client, query: string): Promise<{ ids: string[]; totals: Set<number> }> {
  const [ids, totals] = [[] as string[], new Set<number>()];
  for (let after = ""; ; ) {
    const { status, body } = await client.get<Calls>(`/api/v1/calls?limit=5&${query}${after}`);
    expect(status, JSON.stringify(body)).toBe(200);
    ids.push(...body.calls.map(({ call_id }) => call_id));
    totals.add(body.total);
    if (body.next === null) return { ids, totals };
    after = `&after=${body.next}`;
  }
}

describe("lists of a key of several agents", () => {
  let who: Awaited<ReturnType<typeof threeAgents>>;
  beforeAll(async () => {
    who = await threeAgents();
  });

  it("contain the calls of all those agents in order, paged, with their total", async () => {
    const { both, one, two, calls } = who;
    const theirs = idsOf(calls, one, two);
    expect(theirs).toHaveLength(16);
    expect(await allCalls(both, "")).toEqual({ ids: theirs, totals: new Set([16]) });
    const whole = `since=${MONTH.since}&until=${MONTH.until}`;
    expect(await allCalls(both, whole)).toEqual({ ids: theirs, totals: new Set([16]) });
    expect(await allCalls(both, "offset=0&status=completed")).toEqual({ ids: theirs, totals: new Set([16]) });
    const [first] = theirs.slice(3);
    expect((await both.get<Calls>("/api/v1/calls?offset=3&limit=1")).body.calls[0]?.call_id).toBe(first);
    const named = idsOf(
      calls.filter(({ line }) => line.to_number === "+13035550110"),
      one,
      two,
    );
    expect((await allCalls(both, "phone_number=%2B13035550110")).ids).toEqual(named);
    expect((await allCalls(both, `agent_id=${two}`)).ids).toEqual(idsOf(calls, two));
  });

  it("name only the key's agents", async () => {
    const { both, foreign } = who;
    for (const path of [
      "calls",
      "calls/export",
      "calls/statistics",
      "conversations",
      "conversations/export",
      "recordings",
    ])
      expect([path, (await both.get(`/api/v1/${path}?agent_id=${foreign}`)).code]).toEqual([path, "agent_not_allowed"]);
  });

  it("lists of a key of several agents are exported and counted as they are listed", async () => {
    const { owner, both, one, two, calls } = who;
    const { body } = await both.get<string>("/api/v1/calls/export");
    expect(
      body
        .trim()
        .split("\r\n")
        .slice(1)
        .map((line) => line.split(",")[0]),
    ).toEqual(idsOf(calls, one, two));
    for (const interval of ["hour", "day"]) {
      const path = `/api/v1/calls/statistics?since=2026-11-05T00:00:00Z&until=2026-11-12T00:00:00Z&interval=${interval}`;
      const { totals } = (await both.get<{ totals: { calls: number } }>(path)).body;
      expect([interval, totals.calls]).toEqual([interval, 16]);
      expect((await owner.user.get<{ totals: { calls: number } }>(path)).body.totals.calls).toBe(CALLS);
    }
    const minutes = "/api/v1/calls/statistics?since=2026-11-05T09:00:00Z&until=2026-11-05T12:00:00Z&interval=minute";
    const foreign = await serverOf(owner, who.foreign, who.two);
    const callsAt = async (client: Client) =>
      (await client.get<{ totals: { calls: number } }>(minutes)).body.totals.calls;
    expect([await callsAt(both), await callsAt(foreign)]).toEqual([1, 0]);
  });

  it("contain those agents' usage", async () => {
    const { both, one, two } = who;
    interface Usage {
      usage: { agent_id: string; calls: number }[];
    }
    const path = "/api/v1/usage?from=2026-11-01&to=2026-12-01&group_by=agent";
    const { usage } = (await both.get<Usage>(path)).body;
    expect(usage.map(({ agent_id, calls }) => [agent_id, calls])).toEqual([one, two].sort().map((id) => [id, 8]));
  });

  it("contain their conversations, paged", async () => {
    const owner = await tenant();
    const agents = [await agentOf(owner), await agentOf(owner), await agentOf(owner)] as const;
    const ids: string[] = [];
    for (let i = 0; i < 9; i++)
      ids.push(await held(owner, { agent_id: agents[i % 3] ?? "", started_at: later(i * 60_000) }, null));
    const both = await serverOf(owner, agents[0], agents[1]);
    interface Page {
      conversations: { id: string }[];
      next: string | null;
    }
    const found: string[] = [];
    for (let after = ""; ; ) {
      const { body } = await both.get<Page>(`/api/v1/conversations?limit=2${after}`);
      found.push(...body.conversations.map(({ id }) => id));
      if (body.next === null) break;
      after = `&after=${body.next}`;
    }
    expect(found).toEqual(ids.filter((_, i) => i % 3 !== 2).reverse());
    const { body } = await both.get<string>("/api/v1/conversations/export");
    expect(
      body
        .trim()
        .split("\r\n")
        .slice(1)
        .map((line) => line.split(",")[0]),
    ).toEqual(found);
  });

  it("contain their recordings, paged, with their total", async () => {
    const { owner, both, one, two, calls } = who;
    const rows = calls.map(({ id, line }, i) => ({
      id: idBeside(id),
      call_id: id,
      agent_id: line.agent_id,
      campaign_id: null,
      content_type: "audio/wav",
      size_bytes: 10,
      duration_ms: 1_000,
      provider: "sandbox" as const,
      provider_recording_id: `rec-${i}`,
      created_at: new Date(Date.parse("2026-11-05T10:01:00.000Z") + i * 6 * 3_600_000).toISOString(),
    }));
    await ledgerOf(owner).report(rows.map((row) => ({ part: "recording" as const, row })));
    interface Page {
      recordings: { call_id: string }[];
      total: number;
      next: string | null;
    }
    const found: string[] = [];
    for (let after = ""; ; ) {
      const { status, body } = await both.get<Page>(`/api/v1/recordings?limit=5${after}`);
      expect([status, body.total]).toEqual([200, 16]);
      found.push(...body.recordings.map(({ call_id }) => call_id));
      if (body.next === null) break;
      after = `&after=${body.next}`;
    }
    expect(found).toEqual(idsOf(calls, one, two));
    const [newest] = idsOf(calls, who.foreign);
    const ofCall = (client: Client) => client.get<Page>(`/api/v1/recordings?call_id=${newest}`);
    expect([(await ofCall(both)).body.total, (await ofCall(owner.user)).body.total]).toEqual([0, 1]);
    const offset = await both.get<Page>("/api/v1/recordings?offset=4&limit=2");
    expect(offset.body.recordings.map(({ call_id }) => call_id)).toEqual(found.slice(4, 6));
  });
});

/** Creates two agents that can place calls, each with a campaign and a key of its own. */
async function twoCampaigns() {
  const owner = await tenant();
  const { agent_id: other, from_number } = await ready(owner);
  const agent_id = await agentOf(owner);
  const { id } = (await upload(owner.user, contactsCsv(2), { agent_id, from_number })).body;
  const [own, foreign] = [await serverOf(owner, agent_id), await serverOf(owner, other)];
  return { owner, agent_id, other, id, path: `/api/v1/campaigns/${id}`, own, foreign };
}

describe("campaigns of a key that is limited to agents", () => {
  it("a key limited to agents finds only their campaigns, at every endpoint", async () => {
    const { owner, path, id, own, foreign } = await twoCampaigns();
    await upload(owner.user, contactsCsv(1));
    const listed = async (client: Client) =>
      (await client.get<{ campaigns: { id: string }[]; total: number }>("/api/v1/campaigns")).body;
    expect(await listed(own)).toMatchObject({ campaigns: [{ id }], total: 1 });
    expect(await listed(foreign)).toEqual({ campaigns: [], total: 0 });
    const contact = (await owner.user.get<{ contacts: { id: string }[] }>(`${path}/contacts`)).body.contacts[0]?.id;
    const doors: [string, string, unknown?][] = [
      ["GET", ""],
      ["PATCH", "", { name: "mine now" }],
      ["GET", "/contacts"],
      ["GET", `/contacts/${contact}`],
      ["PATCH", `/contacts/${contact}`, { variables: { name: "mine now" } }],
      ["POST", `/contacts/${contact}/cancel`],
      ["POST", "/redial", { outcomes: ["busy"] }],
      ["POST", "/clone", { contacts: "all" }],
      ["GET", "/events"],
      ["POST", "/events/ticket"],
      ["GET", "/export"],
      ["GET", "/rejects"],
      ["GET", "/duplicates"],
      ["GET", "/history"],
      ["GET", "/outcomes"],
      ["GET", "/plan"],
      ["POST", "/start"],
      ["POST", "/pause"],
      ["POST", "/resume"],
      ["POST", "/stop"],
      ["DELETE", ""],
    ];
    const before = (await own.get(path)).body;
    for (const [method, door, body] of doors) {
      const answer = await call(method, path + door, { headers: foreign.headers, body });
      expect.soft([method, door, answer.status]).toEqual([method, door, 404]);
    }
    const form = new FormData();
    form.set("contacts", new File([contactsCsv(1, "11")], "contacts.csv", { type: "text/csv" }));
    expect((await foreign.send("POST", `${path}/contacts`, form)).status).toBe(404);
    expect((await own.get(path)).body).toEqual(before);
    // The key of the campaign's own agent is refused nowhere.
    for (const [method, door, body] of doors.filter(([method, door]) => method === "GET" && door !== "/events")) {
      const answer = await call(method, path + door, { headers: own.headers, body });
      expect.soft([method, door, answer.status]).toEqual([method, door, 200]);
    }
    expect((await own.post(`${path}/contacts/${contact}/cancel`)).status).toBe(200);
    expect((await own.post(`${path}/clone`, { contacts: "all" })).status).toBe(201);
    expect((await own.delete(path)).status).toBe(204);
  });

  it("a key limited to agents can create campaigns only for them", async () => {
    const { owner, own, path, other, agent_id } = await twoCampaigns();
    const made = async (fields: Record<string, string>) => upload(own, contactsCsv(1), fields);
    expect((await made({ agent_id })).status).toBe(201);
    expect((await made({ agent_id: other })).code).toBe("agent_not_allowed");
    expect((await made({})).code).toBe("agent_not_allowed");
    expect((await owner.user.get<{ total: number }>("/api/v1/campaigns")).body.total).toBe(2);
    for (const set of [other, null]) expect((await own.patch(path, { agent_id: set })).code).toBe("agent_not_allowed");
    expect((await own.patch(path, { agent_id, name: "mine" })).status).toBe(200);
  });

  it("a campaign is lost to a watching key when its agent changes", async () => {
    const { owner, own, foreign, path, id, other } = await twoCampaigns();
    const { url } = (await own.post<{ url: string }>(`${path}/events/ticket`)).body;
    const { pathname, search } = new URL(url);
    const stream = own.get<string>(`${path}/events`);
    expect((await owner.user.patch(path, { agent_id: other })).status).toBe(200);
    expect((await stream).status).toBe(200);
    expect((await call("GET", pathname + search)).status).toBe(404);
    expect([(await own.get(path)).status, (await foreign.get(path)).status]).toEqual([404, 200]);
    expect((await foreign.get<{ campaigns: { id: string }[] }>("/api/v1/campaigns")).body.campaigns).toMatchObject([
      { id },
    ]);
  });

  it("a key's campaign never dials calls of another agent", async () => {
    const { own, other } = await twoCampaigns();
    const order = { agent_id: other, from_number: FROM, to_number: "+13035550110" };
    expect((await own.post("/api/v1/calls/originate", order)).code).toBe("agent_not_allowed");
  });
});

type Campaign = EventData<"campaign.started">;
type Budget = EventData<"budget.warned">;

/** Creates events of an hour ago for agents of an account and for none, in turn. */
const happened = (agents: (string | null)[]) =>
  agents.flatMap((agent_id, i) => {
    const at = new Date(Date.now() - 3_600_000 + i * 1_000).toISOString();
    const campaign: Campaign = {
      campaign_id: crypto.randomUUID(),
      name: "n",
      status: "running",
      status_reason: null,
      agent_id,
      total_contacts: 1,
      counts: {},
      url: "/api/v1/campaigns/1",
    };
    const budget: Budget = {
      budget_id: crypto.randomUUID(),
      scope: agent_id === null ? "account" : "agent",
      scope_id: agent_id,
      period: "day",
      unit: "tokens",
      limit: 10,
      used: 8,
      share: 0.8,
      resets_at: at,
      url: "/api/v1/budgets/1",
    };
    return [newEvent("campaign.started", at, `c${i}`, campaign), newEvent("budget.warned", at, `b${i}`, budget)];
  });

describe("events for a key that is limited to agents", () => {
  it("a key limited to agents gets only their events, listed or streamed", async () => {
    const owner = await tenant();
    const [one, two, foreign] = [await agentOf(owner), await agentOf(owner), await agentOf(owner)];
    const both = await serverOf(owner, one, two);
    const events = happened([one, foreign, null, two, foreign, one]);
    await take(owner.account, events);
    const ids = events.filter((_, i) => [0, 3, 5].includes(Math.floor(i / 2))).map(({ id }) => id);
    const listed = async (query = {}) => (await list(both, query)).events.map(({ id }) => id);
    expect(await listed()).toEqual([...ids].reverse());
    expect(await listed({ types: "budget.warned" })).toEqual(ids.filter((_, i) => i % 2 === 1).reverse());
    const first = await list(both, { limit: 2 });
    expect(first.events.map(({ id }) => id)).toEqual(ids.slice(-2).reverse());
    expect(await listed({ after: first.next ?? "" })).toEqual(ids.slice(0, -2).reverse());
    expect(await listed({ after: ids[0] ?? "" })).toEqual(ids.slice(1));

    const ticket = (await both.post<{ url: string }>("/api/v1/events/stream/ticket")).body.url;
    const { pathname, search } = new URL(ticket);
    for (const [path, headers] of [
      ["/api/v1/events/stream", both.headers],
      [pathname + search, {}],
    ] as const) {
      const seen = await streamed(path, { ...headers, "last-event-id": events[0]?.id ?? "" }, ids.at(-1) ?? "");
      expect([path, seen]).toEqual([path, ids.slice(1)]);
    }
  });

  it("a key limited to agents gets events of tools that fail in their conversations", async () => {
    const owner = await tenant();
    const [own, foreign] = [await agentOf(owner), await agentOf(owner)];
    const both = [await held(owner, { agent_id: own }), await held(owner, { agent_id: foreign })];
    const rows = both.map((conversation_id) => ({
      id: idBeside(conversation_id),
      tool_name: "lookup",
      at: new Date().toISOString(),
      conversation_id,
      tool_call_id: "one",
      ok: false,
      status: 503,
      duration_ms: 12,
      error: null,
    }));
    await ledgerOf(owner).report(rows.map((row) => ({ part: "tool_run" as const, row })));
    const runsFor = async (client: Client) => (await list(client, { types: "tool_run.failed" })).events;
    await vi.waitFor(async () => expect(await runsFor(owner.user)).toHaveLength(2));
    expect((await runsFor(await serverOf(owner, own))).map(({ data }) => data)).toMatchObject([
      { conversation_id: both[0], agent_id: own },
    ]);
  });

  it("a key whose agents have no events gets none", async () => {
    const owner = await tenant();
    const [one, foreign] = [await agentOf(owner), await agentOf(owner)];
    await take(owner.account, happened([foreign, null]));
    expect((await list(await serverOf(owner, one))).events).toEqual([]);
    expect((await list(owner.user)).events).toHaveLength(4);
  });
});

/** Returns the ids of a stream's events, up to one of them. */
async function streamed(path: string, headers: Record<string, string>, last: string): Promise<string[]> {
  const response = await exports.default.fetch(new Request(`https://switchboard.test${path}`, { headers }));
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (reader && !text.includes(`id: ${last}\n`)) {
    const { value, done } = await reader.read();
    if (done) break;
    text += value;
  }
  await reader?.cancel();
  return [...text.matchAll(/^id: (.*)$/gm)].map(([, id = ""]) => id);
}

describe("resources attached to agents, for a key limited to one agent,", () => {
  const items = {
    faqs: { body: { name: "hours", content: "Nine to five." }, attach: (id: string) => ({ faq_id: id }) },
    playbooks: { body: { name: "refunds", content: "Ask why." }, attach: (id: string) => ({ playbook_id: id }) },
    tools: {
      body: {
        name: "look_up",
        description: "Looks up.",
        schema: { type: "object", properties: {} },
        implementation_type: "http",
        implementation_config: { url: "https://api.example/look", method: "GET" },
      },
      attach: () => ({ tool_name: "look_up" }),
    },
  };
  const KINDS = Object.keys(items) as (keyof typeof items)[];

  it.each(KINDS)("%s are readable if they are attached to it, and never writable", async (kind) => {
    const owner = await tenant();
    const [one, other] = [await agentOf(owner), await agentOf(owner)];
    const server = await serverOf(owner, one);
    const created = await owner.user.post<{ id: string }>(`/api/v1/${kind}`, items[kind].body);
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    const { id } = created.body;
    const path = `/api/v1/${kind}/${id}`;
    const listed = async () => {
      const { body } = await server.get<{ total: number } & Record<string, { id: string }[]>>(`/api/v1/${kind}`);
      return [body.total, (body[kind] ?? []).map((row) => row.id)];
    };
    const link = items[kind].attach(id);
    await owner.user.post(`/api/v1/agents/${other}/${kind}`, link);
    expect([await listed(), (await server.get(path)).status]).toEqual([[0, []], 404]);
    // A key cannot attach a resource that it cannot see.
    expect((await server.post(`/api/v1/agents/${one}/${kind}`, link)).status).toBe(404);
    await owner.user.post(`/api/v1/agents/${one}/${kind}`, link);
    expect([await listed(), (await server.get(path)).status]).toEqual([[1, [id]], 200]);
    for (const write of [server.put(path, items[kind].body), server.delete(path)])
      expect((await write).code).toBe("agent_not_allowed");
    expect((await server.post(`/api/v1/${kind}`, items[kind].body)).code).toBe("agent_not_allowed");
  });

  it("a key limited to an agent changes that agent and does not find another", async () => {
    const owner = await tenant();
    const [one, other] = [await agentOf(owner), await agentOf(owner)];
    const server = await serverOf(owner, one);
    expect((await server.patch(`/api/v1/agents/${one}`, { system_prompt: "Be kind." })).status).toBe(200);
    expect((await server.get<{ total: number }>(`/api/v1/agents/${one}/prompts`)).body.total).toBe(2);
    expect((await server.patch(`/api/v1/agents/${one}/widget-settings`, { widget_enabled: false })).status).toBe(200);
    for (const answer of [
      server.patch(`/api/v1/agents/${other}`, { name: "b" }),
      server.delete(`/api/v1/agents/${other}`),
      server.get(`/api/v1/agents/${other}/prompts`),
      server.get(`/api/v1/agents/${other}/tools`),
      server.get(`/api/v1/agents/${other}/widget-settings`),
      server.patch(`/api/v1/agents/${other}/widget-settings`, { widget_enabled: false }),
      server.post(`/api/v1/agents/${other}/session`, {}),
    ])
      expect((await answer).status).toBe(404);
    expect((await server.post("/api/v1/agents", { name: "c" })).code).toBe("agent_not_allowed");
    expect((await server.delete(`/api/v1/agents/${one}`)).status).toBe(204);
  });
});
