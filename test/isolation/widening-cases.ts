import type { Scope } from "../../src/kernel/scopes.ts";
import { agentPath, newAgent, tries, versionsPath } from "../agent/versions/support.ts";
import { type Answer, type Client, newUser, type Tenant } from "../support/client.ts";
import type { Difference } from "./widening-placed.ts";

/** A change that is ready to be requested. */
interface Attempt {
  ask(client: Client): Promise<Answer>;
  /** The path that shows whether the change was made. */
  seen: string;
}

export interface Case {
  endpoint: string;
  widens: Difference;
  /** The scope that the difference requires. */
  needs: Scope;
  begin(owner: Tenant): Promise<Attempt>;
}

const TARGETS = [{ label: "Front desk", number: "+12025550177" }];
/** Settings with a wide and a narrow value, and the scope that the wide value requires. */
const WIDE: Record<string, { needs: Scope; wide: Record<string, unknown>; narrow: Record<string, unknown> }> = {
  storage: { needs: "manage", wide: { storage: "all" }, narrow: { storage: "redacted" } },
  redaction: {
    needs: "manage",
    wide: { storage: "redacted", redact: [] },
    narrow: { storage: "redacted", redact: ["card"] },
  },
  "transfer targets": { needs: "dial", wide: { transfer_targets: TARGETS }, narrow: { transfer_targets: [] } },
  "custom models": {
    needs: "listen",
    wide: { fallback_model: "custom_llm:llama3.3" },
    narrow: { fallback_model: null },
  },
};
const SCHEMA = { type: "object", properties: { note: { type: "string" } } };
const FOREIGN = { method: "POST", url: "https://api.vendor.example/notes", body: { note: "{note}" } };
const TOOLS: Record<string, { needs: Scope; config: object }> = {
  "integration tools": {
    needs: "connect",
    config: { integration: "slack", method: "GET", url: "https://slack.com/api/api.test" },
  },
  "foreign tools": { needs: "listen", config: FOREIGN },
};

/** Creates a tool with this request. Without a request, it cannot run and so widens nothing. */
async function tool({ server }: Tenant, implementation_config: object = {}): Promise<string> {
  const name = `t_${crypto.randomUUID().slice(0, 8)}`;
  const { status, body } = await server.post("/api/v1/tools", { name, implementation_config, schema: SCHEMA });
  if (status !== 201) throw new Error(`no tool: ${JSON.stringify(body)}`);
  return name;
}

const attach = ({ server }: Tenant, id: string, tool_name: string, more = {}) =>
  server.put(`${agentPath(id)}/tools`, Object.assign({ tool_name }, more));
const publish = ({ server }: Tenant, id: string) => server.post(`${agentPath(id)}/publish`);

const ofFields = Object.entries(WIDE).flatMap(([widens, { needs, wide, narrow }]): Case[] => {
  const about = { widens: widens as Difference, needs };
  const patch = (id: string, body: object): Attempt => ({
    ask: (client) => client.patch(agentPath(id), body),
    seen: agentPath(id),
  });
  return [
    {
      ...about,
      endpoint: "PATCH /api/v1/agents/{id}",
      begin: async ({ server }) => patch(await newAgent(server, narrow), wide),
    },
    {
      ...about,
      endpoint: "PATCH /api/v1/agents/{id}",
      // A change of the draft counts like one of the live version.
      begin: async (owner) => {
        const id = await newAgent(owner.server, Object.assign({ versioning: "manual" }, narrow));
        await publish(owner, id);
        return patch(id, wide);
      },
    },
    {
      ...about,
      endpoint: "PATCH /api/v1/agents/{id}",
      // With the versioning `manual`, an earlier published version becomes live again.
      begin: async (owner) => {
        const id = await newAgent(owner.server, wide);
        await publish(owner, id);
        await owner.server.patch(agentPath(id), narrow);
        return patch(id, { versioning: "manual" });
      },
    },
    {
      ...about,
      endpoint: "POST /api/v1/agents/{id}/publish",
      begin: async (owner) => {
        const id = await newAgent(owner.server, Object.assign({ versioning: "manual" }, narrow));
        await publish(owner, id);
        await owner.server.patch(agentPath(id), wide);
        return { ask: (client) => client.post(`${agentPath(id)}/publish`), seen: agentPath(id) };
      },
    },
    {
      ...about,
      endpoint: "POST /api/v1/agents/{id}/versions/{number}/restore",
      begin: async (owner) => {
        const id = await newAgent(owner.server, wide);
        await publish(owner, id);
        await owner.server.patch(agentPath(id), narrow);
        return { ask: (client) => client.post(`${versionsPath(id)}/1/restore`), seen: agentPath(id) };
      },
    },
  ];
});

const ofTools = Object.entries(TOOLS).flatMap(([widens, { needs, config }]): Case[] => {
  const about = { widens: widens as Difference, needs };
  /** Creates an agent that had the tool in its first version and no longer has it. */
  const detached = async (owner: Tenant, fields: object = {}) => {
    const [id, name] = [await newAgent(owner.server, { ...fields }), await tool(owner, config)];
    await attach(owner, id, name);
    await tries(owner, id);
    await publish(owner, id);
    await owner.server.delete(`${agentPath(id)}/tools/${name}`);
    return id;
  };
  /** Creates an agent that has the tool. */
  const attached = async (owner: Tenant, fields: object = {}) => {
    const [id, name] = [await newAgent(owner.server, { ...fields }), await tool(owner, config)];
    await attach(owner, id, name);
    return { id, name };
  };
  const put = (id: string, tool_name: string, method: "put" | "post" = "put"): Attempt => ({
    ask: (client) => client[method](`${agentPath(id)}/tools`, { tool_name }),
    seen: `${agentPath(id)}/tools`,
  });
  const attaching = (method: "put" | "post"): Case => ({
    ...about,
    endpoint: `${method.toUpperCase()} /api/v1/agents/{id}/tools`,
    begin: async (owner) => put(await newAgent(owner.server), await tool(owner, config), method),
  });
  return [
    attaching("put"),
    attaching("post"),
    {
      ...about,
      endpoint: "PUT /api/v1/agents/{id}/tools",
      // This enables something that was disabled.
      begin: async (owner) => {
        const [id, name] = [await newAgent(owner.server), await tool(owner, config)];
        await attach(owner, id, name, { enabled: false });
        return put(id, name);
      },
    },
    {
      ...about,
      endpoint: "PUT /api/v1/tools/{id}",
      begin: async (owner) => {
        const [id, name] = [await newAgent(owner.server), await tool(owner)];
        await attach(owner, id, name);
        const path = `/api/v1/tools/${name}`;
        return { ask: (client) => client.put(path, { implementation_config: config }), seen: path };
      },
    },
    {
      ...about,
      endpoint: "PUT /api/v1/tools/{id}",
      // With another description, the model may send more of what callers say.
      begin: async (owner) => {
        const path = `/api/v1/tools/${(await attached(owner)).name}`;
        return { ask: (client) => client.put(path, { description: "Send all that was said." }), seen: path };
      },
    },
    {
      ...about,
      endpoint: "POST /api/v1/marketplace/agents/{id}/install",
      begin: async ({ server }) => {
        type Templates = { agents: { id: string; tools: { name: string }[] }[] };
        const { agents } = (await server.get<Templates>("/api/v1/marketplace/agents?limit=100")).body;
        const template = agents.find(({ tools }) => tools.some(({ name }) => name === "book_appointment"));
        return {
          ask: (client) => client.post(`/api/v1/marketplace/agents/${template?.id}/install`),
          seen: "/api/v1/agents",
        };
      },
    },
    {
      ...about,
      endpoint: "POST /api/v1/agents/{id}/publish",
      begin: async (owner) => {
        const { id } = await attached(owner, { versioning: "manual" });
        return { ask: (client) => client.post(`${agentPath(id)}/publish`), seen: agentPath(id) };
      },
    },
    {
      ...about,
      endpoint: "POST /api/v1/agents/{id}/versions/{number}/restore",
      begin: async (owner) => {
        const id = await detached(owner);
        return { ask: (client) => client.post(`${versionsPath(id)}/1/restore`), seen: agentPath(id) };
      },
    },
    {
      ...about,
      endpoint: "PATCH /api/v1/agents/{id}",
      begin: async (owner) => {
        const id = await detached(owner);
        return { ask: (client) => client.patch(agentPath(id), { versioning: "manual" }), seen: agentPath(id) };
      },
    },
    {
      ...about,
      endpoint: "PATCH /api/v1/agents/{id}",
      begin: async (owner) => {
        const { id } = await attached(owner, { versioning: "manual" });
        return { ask: (client) => client.patch(agentPath(id), { versioning: "auto" }), seen: agentPath(id) };
      },
    },
    {
      ...about,
      endpoint: "POST /api/v1/agents/{id}/session",
      begin: async (owner) => {
        const { id } = await attached(owner);
        return { ask: (client) => client.post(`${agentPath(id)}/session`), seen: agentPath(id) };
      },
    },
    {
      ...about,
      endpoint: "POST /api/v1/agents/{id}/test-runs",
      begin: async (owner) => {
        const { id, name } = await attached(owner);
        await owner.server.post(`${agentPath(id)}/tests`, { name: "one", steps: [{ says: "Hello" }], expect: [] });
        return {
          ask: (client) => client.post(`${agentPath(id)}/test-runs`, { allow_tools: [name] }),
          seen: `${agentPath(id)}/test-runs`,
        };
      },
    },
  ];
});

const INTEGRATION = TOOLS["integration tools"]?.config ?? {};

/** Cases that a scope or rule of the endpoint itself decides. */
const ofAccounts: Case[] = [
  {
    endpoint: "POST /api/v1/agents",
    widens: "transfer targets",
    needs: "dial",
    begin: async () => ({
      ask: (client) => client.post("/api/v1/agents", { name: "Reception", transfer_targets: TARGETS }),
      seen: "/api/v1/agents",
    }),
  },
  {
    endpoint: "POST /api/v1/agents",
    widens: "custom models",
    needs: "listen",
    begin: async () => ({
      ask: (client) => client.post("/api/v1/agents", { name: "Reception", llm_model: "custom_llm:llama3.3" }),
      seen: "/api/v1/agents",
    }),
  },
  {
    endpoint: "POST /api/v1/agents",
    widens: "disclosure",
    needs: "manage",
    begin: async () => ({
      ask: (client) => client.post("/api/v1/agents", { name: "Reception", disclosure: "off" }),
      seen: "/api/v1/agents",
    }),
  },
  ...["account", { texts: { en: "I am an AI." } }].map(
    (disclosure): Case => ({
      endpoint: "PATCH /api/v1/agents/{id}",
      widens: "disclosure",
      needs: "manage",
      begin: async ({ server }) => {
        const path = agentPath(await newAgent(server, { disclosure }));
        return { ask: (client) => client.patch(path, { disclosure: "off" }), seen: path };
      },
    }),
  ),
  {
    endpoint: "POST /api/v1/agents/{id}/session",
    widens: "custom models",
    needs: "connect",
    begin: async (owner) => {
      const id = await newAgent(owner.server, { versioning: "manual" });
      await publish(owner, id);
      await owner.server.patch(agentPath(id), { llm_model: "custom_llm:llama3.3" });
      return { ask: (client) => client.post(`${agentPath(id)}/session`), seen: agentPath(id) };
    },
  },
  {
    endpoint: "POST /api/v1/agents/{id}/session",
    widens: "storage",
    needs: "manage",
    begin: async (owner) => {
      const id = await newAgent(owner.server, { versioning: "manual", storage: "metadata" });
      await publish(owner, id);
      await owner.server.patch(agentPath(id), { storage: "all" });
      return { ask: (client) => client.post(`${agentPath(id)}/session`), seen: agentPath(id) };
    },
  },
  {
    endpoint: "POST /api/v1/tools",
    widens: "integration tools",
    needs: "connect",
    begin: async () => {
      const name = `t_${crypto.randomUUID().slice(0, 8)}`;
      return {
        ask: (client) => client.post("/api/v1/tools", { name, implementation_config: INTEGRATION }),
        seen: `/api/v1/tools?search=${name}`,
      };
    },
  },
  {
    endpoint: "POST /api/v1/tools/{id}/run",
    widens: "integration tools",
    needs: "connect",
    begin: async (owner) => {
      const path = `/api/v1/tools/${await tool(owner, INTEGRATION)}`;
      return { ask: (client) => client.post(`${path}/run`, { arguments: {}, dry_run: true }), seen: `${path}/runs` };
    },
  },
  {
    endpoint: "POST /api/v1/integrations/{id}/install",
    widens: "integration tools",
    needs: "connect",
    begin: async () => ({
      ask: (client) => client.post("/api/v1/integrations/stripe/install", { secrets: { secret_key: "rk_1" } }),
      seen: "/api/v1/integrations/stripe",
    }),
  },
  {
    endpoint: "POST /api/v1/integrations/{id}/install",
    widens: "foreign tools",
    needs: "listen",
    begin: async (owner) => {
      const path = "/api/v1/integrations/custom_api/install";
      const lead = (client: Client, host: string) => client.post(path, { params: { base_url: `https://${host}/v1` } });
      await lead(owner.server, "api.acme.example");
      const name = await tool(owner, { method: "GET", url: "{{custom_api.base_url}}/notes" });
      await attach(owner, await newAgent(owner.server), name);
      return { ask: (client) => lead(client, "collector.example"), seen: "/api/v1/integrations/custom_api" };
    },
  },
  ...(
    [
      ["storage", { record_inbound: true }],
      ["disclosure", { disclosure: { mode: "calls" } }],
      ["destinations", { allowed_destinations: ["+1", "+49"] }],
      ["limits", { caller_calls_per_day: 1_000 }],
    ] as const
  ).map(
    ([widens, body]): Case => ({
      endpoint: "PATCH /api/v1/call-settings",
      widens,
      needs: "manage",
      begin: async ({ server }) => {
        await server.patch("/api/v1/call-settings", { allowed_destinations: ["+1"] });
        return { ask: (client) => client.patch("/api/v1/call-settings", body), seen: "/api/v1/call-settings" };
      },
    }),
  ),
  {
    endpoint: "PATCH /api/v1/privacy",
    widens: "storage",
    needs: "manage",
    begin: async () => ({
      ask: (client) => client.patch("/api/v1/privacy", { calls_days: 3_650 }),
      seen: "/api/v1/privacy",
    }),
  },
  {
    endpoint: "POST /api/v1/budgets",
    widens: "budgets",
    needs: "manage",
    begin: async () => ({ ask: (client) => client.post("/api/v1/budgets", BUDGET), seen: "/api/v1/budgets" }),
  },
  ...(["PATCH", "DELETE"] as const).map(
    (method): Case => ({
      endpoint: `${method} /api/v1/budgets/{id}`,
      widens: "budgets",
      needs: "manage",
      begin: async ({ server }) => {
        const path = `/api/v1/budgets/${(await server.post<{ id: string }>("/api/v1/budgets", BUDGET)).body.id}`;
        return {
          ask: (client) => (method === "PATCH" ? client.patch(path, { limit: 2_000 }) : client.delete(path)),
          seen: "/api/v1/budgets",
        };
      },
    }),
  ),
  {
    endpoint: "PATCH /api/v1/widget-keys/{id}",
    widens: "limits",
    needs: "manage",
    begin: (owner) => limiting(owner, null),
  },
];

const BUDGET = { scope: "account", period: "day", unit: "tokens", limit: 1_000, action: "warn" };

async function limiting({ user }: Tenant, tokens_per_day: number | null): Promise<Attempt> {
  const { id } = (await user.post<{ id: string }>("/api/v1/widget-keys", { name: "shop" })).body;
  return {
    ask: (client) => client.patch(`/api/v1/widget-keys/${id}`, { limits: { tokens_per_day } }),
    seen: "/api/v1/widget-keys",
  };
}

const WIDER_KEYS: Record<string, object> = {
  scopes: { scopes: ["read", "dial"] },
  agents: { agent_ids: null },
  addresses: { allowed_addresses: null },
  unattended: { unattended: true },
};
const KEYS = "/api/v1/api-keys";

/** The cases that require a console session. */
export const CONSOLE_CASES: Case[] = [
  ...Object.entries(WIDER_KEYS).flatMap(([widens, wider]): Case[] => [
    {
      endpoint: "POST /api/v1/api-keys",
      widens: widens as Difference,
      needs: "manage",
      begin: async () => ({ ask: (client) => client.post(KEYS, Object.assign({ name: "k" }, wider)), seen: KEYS }),
    },
    {
      endpoint: "PATCH /api/v1/api-keys/{id}",
      widens: widens as Difference,
      needs: "manage",
      begin: async ({ server, user }) => {
        const narrow = {
          name: "k",
          scopes: ["read"],
          agent_ids: [await newAgent(server)],
          allowed_addresses: ["203.0.113.0/24"],
        };
        const { id } = (await user.post<{ id: string }>(KEYS, narrow)).body;
        return { ask: (client) => client.patch(`${KEYS}/${id}`, wider), seen: KEYS };
      },
    },
  ]),
  {
    endpoint: "POST /api/v1/invitations",
    widens: "scopes",
    needs: "manage",
    begin: async () => ({
      ask: (client) =>
        client.post("/api/v1/invitations", { email: `${crypto.randomUUID()}@b.example`, role: "viewer" }),
      seen: "/api/v1/invitations",
    }),
  },
  {
    endpoint: "PATCH /api/v1/members/{id}",
    widens: "scopes",
    needs: "manage",
    begin: async ({ account }) => {
      const { id } = await newUser(account, "viewer");
      return { ask: (client) => client.patch(`/api/v1/members/${id}`, { role: "builder" }), seen: "/api/v1/members" };
    },
  },
];

/** A limit that exceeds both its default and its current value. */
const RAISED_WIDGET_LIMIT: Case = {
  endpoint: "PATCH /api/v1/widget-keys/{id}",
  widens: "limits",
  needs: "manage",
  begin: (owner) => limiting(owner, 5_000_001),
};

export const CASES: Case[] = [...ofFields, ...ofTools, ...ofAccounts, RAISED_WIDGET_LIMIT];
