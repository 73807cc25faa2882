import { describe, expect, it } from "vitest";
import { tenant } from "../../support/client.ts";

interface Agent {
  id: string;
  updated_at: string;
  tools: { tool_name: string }[];
  playbooks: { id: string; name: string }[];
  faqs: { id: string; name: string }[];
}

const TOOLS = ["ask", "book", "call"];
const NAMES = ["one", "two", "three"];
const PROBLEM = { accept: "application/problem+json", "content-type": "application/json" };

/** Creates an agent with three tools, playbooks and FAQs each, and returns their ids by name. */
async function withThreeOfEach() {
  const { server } = await tenant();
  const { id } = (await server.post<Agent>("/api/v1/agents", { name: "A" })).body;
  const path = `/api/v1/agents/${id}`;
  for (const name of TOOLS) {
    await server.post("/api/v1/tools", { name });
    await server.put(`${path}/tools`, { tool_name: name });
  }
  for (const name of NAMES) {
    await server.post("/api/v1/playbooks", { name });
    await server.post(`${path}/playbooks`, { playbook_id: name });
    await server.post("/api/v1/faqs", { name, title: name });
    await server.post(`${path}/faqs`, { faq_id: name });
  }
  const agent = (await server.get<Agent>(path)).body;
  const ids = (of: Agent["faqs"]) => Object.fromEntries(of.map((one) => [one.name, one.id]));
  return {
    server,
    path,
    agent,
    playbooks: ids(agent.playbooks),
    faqs: ids(agent.faqs),
    order: (body: unknown) => server.post<Agent>(`${path}/order`, body),
    shown: async () => orderOf((await server.get<Agent>(path)).body),
  };
}

const orderOf = ({ tools, playbooks, faqs }: Agent) => ({
  tools: tools.map(({ tool_name }) => tool_name),
  playbooks: playbooks.map(({ name }) => name),
  faqs: faqs.map(({ name }) => name),
});

describe("the order of an agent's attachments", () => {
  it("an agent's attachments are sorted by name and time until an order is set", async () => {
    const { server, path, agent, playbooks, faqs, order, shown } = await withThreeOfEach();
    expect(await shown()).toEqual({ tools: TOOLS, playbooks: NAMES, faqs: NAMES });
    const sent = { tools: ["call"], playbooks: [playbooks.three, playbooks.one], faqs: [faqs.two] };
    const answer = await order(sent);
    const expected = {
      tools: ["call", "ask", "book"],
      playbooks: ["three", "one", "two"],
      faqs: ["two", "one", "three"],
    };
    expect([answer.status, orderOf(answer.body)]).toEqual([200, expected]);
    expect(await shown()).toEqual(expected);
    const tools = (await server.get<Pick<Agent, "tools">>(`${path}/tools`)).body.tools;
    expect(tools.map(({ tool_name }) => tool_name)).toEqual(expected.tools);
    const [listed] = (await server.get<Agent[]>("/api/v1/agents")).body.filter(({ id }) => id === agent.id);
    expect(listed && orderOf(listed)).toEqual(expected);
  });

  it("stays for kinds that the request omits, and is removed by an empty list", async () => {
    const { faqs, order } = await withThreeOfEach();
    await order({ tools: ["call", "book"], faqs: [faqs.three] });
    const second = (await order({ tools: ["book"] })).body;
    expect(orderOf(second)).toEqual({
      tools: ["book", "ask", "call"],
      playbooks: NAMES,
      faqs: ["three", "one", "two"],
    });
    expect(orderOf((await order({ tools: [], faqs: [] })).body)).toEqual({
      tools: TOOLS,
      playbooks: NAMES,
      faqs: NAMES,
    });
  });

  it("ends with later attachments, and keeps the position of a changed tool", async () => {
    const { server, path, order, shown } = await withThreeOfEach();
    await order({ tools: ["call", "book", "ask"] });
    await server.post("/api/v1/tools", { name: "a_late_one" });
    await server.put(`${path}/tools`, { tool_name: "a_late_one" });
    await server.put(`${path}/tools`, { tool_name: "book", enabled: false });
    expect((await shown()).tools).toEqual(["call", "book", "ask", "a_late_one"]);
  });
});

describe("the order of an agent's attachments", () => {
  it("an order with unattached or repeated names is refused, and the error reports them", async () => {
    const { server, playbooks, faqs, order, shown } = await withThreeOfEach();
    const other = (await server.post<{ id: string }>("/api/v1/faqs", { name: "loose", title: "Loose" })).body;
    for (const [body, message] of [
      [{ tools: ["call", "nobody"] }, "nobody"],
      [{ tools: ["call"], playbooks: [faqs.one] }, faqs.one],
      [{ tools: ["call"], faqs: [faqs.two, other.id] }, other.id],
    ] as const) {
      const answer = await order(body);
      expect([answer.status, answer.code, answer.body]).toEqual([
        400,
        "not_attached",
        expect.stringContaining(`${message}`),
      ]);
    }
    for (const body of [{ tools: ["call", "call"] }, { playbooks: [playbooks.one, playbooks.one] }, { faqs: "one" }])
      expect(await order(body)).toMatchObject({ status: 400, code: "invalid_request" });
    expect(await shown()).toEqual({ tools: TOOLS, playbooks: NAMES, faqs: NAMES });
  });

  it("an invalid order is refused with the field and the index in its list", async () => {
    const { server, path } = await withThreeOfEach();
    const body = JSON.stringify({ tools: ["call", "nobody"] });
    const { body: problem } = await server.send("POST", `${path}/order`, body, PROBLEM);
    expect(problem).toMatchObject({ errors: [{ field: "tools.1" }] });
  });
});

describe("the order of an agent's attachments", () => {
  it("treats another account's tools and FAQs as unknown", async () => {
    const [one, two] = [await withThreeOfEach(), await withThreeOfEach()];
    const theirs = await one.order({ faqs: [two.faqs.one] });
    const none = await one.order({ faqs: ["0190b1a0-0000-7000-8000-000000000000"] });
    expect([theirs.status, theirs.code]).toEqual([none.status, none.code]);
    expect(String(theirs.body).replace(String(two.faqs.one), "")).toBe(
      String(none.body).replace("0190b1a0-0000-7000-8000-000000000000", ""),
    );
  });

  it("changes only for this agent, and the change is audited with the ordered kinds", async () => {
    const { server, agent, order } = await withThreeOfEach();
    const twin = (await server.post<Agent>("/api/v1/agents", { name: "B" })).body;
    for (const tool_name of TOOLS) await server.put(`/api/v1/agents/${twin.id}/tools`, { tool_name });
    await order({ tools: ["call"] });
    expect(orderOf((await server.get<Agent>(`/api/v1/agents/${twin.id}`)).body).tools).toEqual(TOOLS);
    const { entries } = (await server.get<{ entries: Record<string, unknown>[] }>("/api/v1/audit-log")).body;
    const recorded = entries.filter(({ action }) => action === "order_attachments");
    expect(recorded).toMatchObject([{ resource: "agent", resource_id: agent.id, changes: { tools: null } }]);
  });
});
