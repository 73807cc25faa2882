import { beforeAll, describe, expect, it } from "vitest";
import { ROLES, SCOPES } from "../../src/kernel/scopes.ts";
import { addText, settled } from "../agent/knowledge/support.ts";
import { contactsCsv, ready, upload } from "../campaign/support.ts";
import { isObject, type Json, operationsOf, reference } from "../kernel/http/reference.ts";
import { type Answer, apiKey, type Client, consoleUser, operator, type Tenant, tenant } from "../support/client.ts";
import { CASES } from "./cases.ts";

/* Sending a resource back to its PATCH or PUT as it was read changes nothing. */

const STRICT = { prefer: "handling=strict", "content-type": "application/json" };
let owner: Tenant;
let operators: Client;
let callers: Map<string, Client>;
let agentId: string;

const made = async (answer: Promise<Answer<{ id?: string }>>): Promise<string> => {
  const { status, body } = await answer;
  if (status >= 300 || !body.id) throw new Error(`nothing was made: ${status} ${JSON.stringify(body)}`);
  return body.id;
};

/** Creates an agent with a value in each of its fields, and with an attachment of each kind. */
async function richAgent(): Promise<string> {
  const { server } = owner;
  const id = await made(
    server.post("/api/v1/agents", {
      name: "Reception",
      transfer_targets: [{ label: "Front desk", number: "+12025550177", on_failure: true }],
      storage: "redacted",
      redact: ["iban", "card"],
      analysis: { enabled: true, criteria: [{ name: "booked", instruction: "The caller booked." }] },
      disclosure: { texts: { de: "Sie sprechen mit einer KI von {{account_name}}." } },
      system_prompt: "Be brief, {{first_name|you}}.",
      language: "de-AT",
      languages: ["tr-TR"],
      key_terms: ["Acme Dental"],
      phrases: { goodbye: "Auf Wiederhören, {{first_name|bis bald}}." },
    }),
  );
  await server.post("/api/v1/faqs", { name: "hours", content: "9 to 5" });
  await server.post(`/api/v1/agents/${id}/faqs`, { faq_id: "hours" });
  await server.post("/api/v1/playbooks", { name: "book", tool_names: ["note"], triggers: ["book"] });
  await server.post(`/api/v1/agents/${id}/playbooks`, { playbook_id: "book" });
  const request = { method: "POST", url: "https://api.vendor.example/notes", body: { note: "{note}" } };
  const schema = { type: "object", properties: { note: { type: "string" } } };
  const tool = { name: "note", implementation_type: "http", implementation_config: request, schema };
  await made(server.post("/api/v1/tools", tool));
  await server.put(`/api/v1/agents/${id}/tools`, { tool_name: "note" });
  return id;
}

/** Creates the rows for each resource's path, with more content than the isolation tests need. */
const ROWS: Record<string, () => Promise<string[]>> = {
  "/api/v1/agents/{id}": async () => [agentId],
  "/api/v1/agents/{id}/widget-settings": async () => [agentId],
  "/api/v1/agents/{id}/tests/{testId}": async () => {
    const test = {
      name: "Books",
      steps: [{ says: "Friday?" }],
      variables: { first_name: "Ada" },
      tool_mocks: [{ tool: "note", result: "noted" }],
      expect: [{ said: "friday" }],
    };
    return [agentId, await made(owner.server.post(`/api/v1/agents/${agentId}/tests`, test))];
  },
  "/api/v1/tools/{id}": async () => ["note"],
  "/api/v1/playbooks/{id}": async () => ["book"],
  "/api/v1/faqs/{id}": async () => ["hours"],
  "/api/v1/knowledge/{id}": async () => {
    const { id } = await addText(owner.server, "Hours", "The office is open for you and the team on Saturday.");
    expect((await settled(owner.server, id)).language).toBe("en");
    return [id];
  },
  "/api/v1/campaigns/{id}": async () => {
    const settings = { schedule_config: JSON.stringify([{ days: [1, 2], start: "09:00", end: "17:00" }]) };
    return [await made(upload(owner.server, contactsCsv(1), { ...settings, agent_id: agentId, max_concurrency: "3" }))];
  },
  "/api/v1/webhooks/{id}": async () => {
    const hook = { url: "https://shop.example/hook", types: ["call.*"], agent_ids: [agentId], description: "ours" };
    return [await made(owner.server.post("/api/v1/webhooks", hook))];
  },
  "/api/v1/widget-keys/{id}": async () => {
    const key = { name: "shop", agent_id: agentId, domain_allowlist: ["https://shop.example"] };
    return [await made(owner.server.post("/api/v1/widget-keys", key))];
  },
  "/api/v1/api-keys/{id}": async () => [await made(owner.user.post("/api/v1/api-keys", { name: "default" }))],
  "/api/v1/telephony/numbers/{id}": async () => {
    const number = { e164: "+12025550188", provider: "sandbox", agent_id: agentId };
    return [await made(owner.server.post("/api/v1/telephony/numbers", number))];
  },
  "/api/admin/v1/accounts/{account}": async () => [owner.account],
};

interface Resource {
  method: string;
  /** The component's name in the API reference. */
  name: string;
  path: string;
  /** Reads the resource as this caller sees it; null if the caller does not see it. */
  read: (client: Client) => Promise<{ body: Json; etag: string | null } | null>;
}

/** Returns the item with this id in the response of a list. */
function itemIn(answer: unknown, id: string | undefined): Json | undefined {
  const items = Array.isArray(answer) ? answer : isObject(answer) ? Object.values(answer).find(Array.isArray) : [];
  return items?.find((one: unknown) => isObject(one) && one.id === id);
}

/** Returns every resource that can be read and written, with its own endpoint or its list. */
async function resources(): Promise<Resource[]> {
  const names = operationsOf(await reference()).map(({ name }) => name);
  const found: Resource[] = [];
  for (const name of names) {
    const [method = "", template = ""] = name.split(" ");
    const list = template.replace(/\/\{\w+\}$/, "");
    const hasOwn = names.includes(`get ${template}`);
    const isListed = list !== template && names.includes(`get ${list}`);
    if (!["patch", "put"].includes(method) || !(hasOwn || isListed)) continue;
    if (name === "put /api/v1/agents/{id}/tools") continue;
    const row = CASES[`${method.toUpperCase()} ${template}`];
    const params = (await ROWS[template]?.()) ?? (row && "params" in row ? await row.params(owner) : []);
    let next = 0;
    const path = template.replace(/\{\w+\}/g, () => params[next++] ?? "");
    const read: Resource["read"] = async (client) => {
      const { status, body, headers } = await client.get<Json>(hasOwn ? path : list);
      const read = hasOwn ? body : itemIn(body, params.at(-1));
      return status === 200 && read ? { body: read, etag: headers.get("etag") } : null;
    };
    found.push({ method: method.toUpperCase(), name: template, path, read });
  }
  return found;
}

const entries = async () => {
  const { body } = await owner.user.get<{ entries: { id: string; action: string; resource: string }[] }>(
    "/api/v1/audit-log?limit=100",
  );
  return body.entries.map(({ id, action, resource }) => `${id} ${action} ${resource}`);
};

beforeAll(async () => {
  owner = await tenant();
  operators = await operator();
  await ready(owner);
  agentId = await richAgent();
  const { account, user } = owner;
  callers = new Map();
  for (const role of ROLES) callers.set(`role ${role}`, await consoleUser(account, role));
  for (const scope of SCOPES) callers.set(`key ${scope}`, (await apiKey(user, { scopes: [scope] })).server);
  callers.set("key all", owner.server);
  callers.set("key default", (await apiKey(user, {})).server);
  callers.set("key of agents", (await apiKey(user, { scopes: [...SCOPES], agent_ids: [agentId] })).server);
  callers.set("key build of agents", (await apiKey(user, { scopes: ["build"], agent_ids: [agentId] })).server);
  callers.set("operator", operators);
});

/** Reasons to refuse a write that don't depend on the sent content. */
const REFUSED = ["missing_scope", "console_required", "agent_not_allowed", "exceeds_own"];

describe("a response that is sent back unchanged", () => {
  it("changes nothing, whoever sends it back", async () => {
    const all = await resources();
    expect(all.length).toBeGreaterThan(18);
    const wrote = new Map<string, number>();
    for (const { method, name, path, read } of all) {
      for (const [who, client] of callers) {
        const own = await read(client);
        if (own === null) continue;
        const authority = name.startsWith("/api/admin/") ? operators : owner.user;
        const [before, log] = [await read(authority), await entries()];
        const answer = await client.send(method, path, JSON.stringify(own.body), STRICT);
        if (answer.status === 403 && REFUSED.includes(answer.code ?? "")) continue;
        wrote.set(name, (wrote.get(name) ?? 0) + 1);
        const said = [name, who, answer.status < 300 ? "done" : `${answer.status} ${JSON.stringify(answer.body)}`];
        expect.soft(said).toEqual([name, who, "done"]);
        expect.soft([name, who, answer.headers.get("ignored-fields")]).toEqual([name, who, null]);
        expect.soft([name, who, await read(authority)]).toEqual([name, who, before]);
        expect.soft([name, who, await entries()]).toEqual([name, who, log]);
      }
    }
    expect([...wrote.keys()].sort()).toEqual([...new Set(all.map(({ name }) => name))].sort());
  });
});
