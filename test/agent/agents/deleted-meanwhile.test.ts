import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { app } from "../../../src/app.ts";
import { BASE, type Client, type Tenant, tenant } from "../../support/client.ts";

type Body = Record<string, unknown>;

/** Sends a request, and runs something else after its first look-up in the database. */
async function interrupted(
  client: Client,
  [method, path, body]: [string, string, Body],
  meanwhile: () => Promise<unknown>,
) {
  let looked = false;
  const DB = new Proxy(env.DB, {
    get(target, name) {
      if (name !== "batch") return Reflect.get(target, name).bind(target);
      return async (statements: D1PreparedStatement[]) => {
        const results = await target.batch(statements);
        if (!looked) {
          looked = true;
          await meanwhile();
        }
        return results;
      };
    },
  });
  const headers = { ...client.headers, "content-type": "application/json" };
  const request = new Request(BASE + path, { method, headers, body: JSON.stringify(body) });
  const context = createExecutionContext();
  const answer = await app.fetch(request, Object.assign({}, env, { DB }), context);
  await answer.text();
  await waitOnExecutionContext(context);
  expect(looked).toBe(true);
  return [answer.status, answer.headers.get("x-error-code")];
}

const created = async (client: Client, path: string, body: Body) =>
  (await client.post<{ id: string }>(`/api/v1/${path}`, body)).body.id;

/** Creates an agent and the rows that refer to it. */
async function scene(who: Tenant) {
  const agent = await created(who.server, "agents", { name: "A" });
  return { agent, path: `/api/v1/agents/${agent}`, gone: () => who.server.delete(`/api/v1/agents/${agent}`) };
}

describe("a row that refers to an agent deleted while the row is created", () => {
  const number = (agent_id: string) => ({ e164: "+12025550142", provider: "sandbox", agent_id });
  const key = (agent_id: string) => ({ name: "K", agent_id, domain_allowlist: ["https://shop.example"] });

  it.each<[string, (agent: string) => [string, string, Body], [number, string]]>([
    ["a number", (agent) => ["POST", "/api/v1/telephony/numbers", number(agent)], [400, "unknown_reference"]],
    ["a widget key", (agent) => ["POST", "/api/v1/widget-keys", key(agent)], [400, "unknown_agent"]],
    [
      "a tool's settings",
      (agent) => ["POST", `/api/v1/agents/${agent}/tools`, { tool_name: "t1" }],
      [404, "not_found"],
    ],
  ])(
    "a row for an agent that was deleted meanwhile is refused as for an unknown agent: %s",
    async (_, request, refusal) => {
      const who = await tenant();
      await created(who.server, "tools", { name: "t1" });
      const { agent, gone } = await scene(who);
      expect(await interrupted(who.server, request(agent), gone)).toEqual(refusal);
      expect(await interrupted(who.server, request(crypto.randomUUID()), async () => {})).toEqual(refusal);
    },
  );

  it("a widget key, FAQ or playbook is refused if its agent is deleted meanwhile", async () => {
    const who = await tenant();
    const keyId = await created(who.server, "widget-keys", { name: "K", domain_allowlist: ["https://shop.example"] });
    const faq_id = await created(who.server, "faqs", { name: "f1", content: "C" });
    const playbook_id = await created(who.server, "playbooks", { name: "p1", content: "C" });
    const attached = async (request: (agent: string) => [string, string, Body]) => {
      const { agent, gone } = await scene(who);
      return interrupted(who.server, request(agent), gone);
    };
    expect(await attached((agent_id) => ["PATCH", `/api/v1/widget-keys/${keyId}`, { agent_id }])).toEqual([
      400,
      "unknown_agent",
    ]);
    expect(await attached((id) => ["POST", `/api/v1/agents/${id}/faqs`, { faq_id }])).toEqual([404, "not_found"]);
    expect(await attached((id) => ["POST", `/api/v1/agents/${id}/playbooks`, { playbook_id }])).toEqual([
      404,
      "not_found",
    ]);
  });

  it("an attachment is refused if its FAQ, playbook or tool is deleted meanwhile", async () => {
    const who = await tenant();
    const { path } = await scene(who);
    const faq = await created(who.server, "faqs", { name: "f1", content: "C" });
    const playbook = await created(who.server, "playbooks", { name: "p1", content: "C" });
    const tool = await created(who.server, "tools", { name: "t1" });
    const without = (what: string, id: string, body: Body) =>
      interrupted(who.server, ["POST", `${path}/${what}`, body], () => who.server.delete(`/api/v1/${what}/${id}`));
    expect(await without("faqs", faq, { faq_id: faq })).toEqual([404, "not_found"]);
    expect(await without("playbooks", playbook, { playbook_id: playbook })).toEqual([404, "not_found"]);
    expect(await without("tools", tool, { tool_name: "t1" })).toEqual([404, "not_found"]);
  });
});
