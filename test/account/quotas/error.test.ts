import { describe, expect, it } from "vitest";
import { contactsCsv, openStream, upload } from "../../campaign/support.ts";
import { type Answer, type Client, operator, tenant } from "../../support/client.ts";
import { setQuotas, use } from "./support.ts";

/** Creates the n-th item that a quota counts. */
const MAKE: Record<string, (client: Client, n: number) => Promise<Answer>> = {
  agents: (client, n) => client.post("/api/v1/agents", { name: `agent ${n}` }),
  tools: (client, n) => client.post("/api/v1/tools", { name: `tool_${n}` }),
  playbooks: (client, n) => client.post("/api/v1/playbooks", { name: `playbook_${n}` }),
  faqs: (client, n) => client.post("/api/v1/faqs", { name: `faq_${n}` }),
  api_keys: (client, n) => client.post("/api/v1/api-keys", { name: `key ${n}` }),
  widget_keys: (client, n) => client.post("/api/v1/widget-keys", { name: `key ${n}` }),
  credentials: (client) => client.post("/api/v1/telephony/providers", { provider: "sandbox", credentials: {} }),
  numbers: (client, n) =>
    client.post("/api/v1/telephony/numbers", { e164: `+120255501${n + 10}`, provider: "sandbox" }),
  open_campaigns: (client) => upload(client, contactsCsv(1)),
};
const FORBIDDEN = (name: string, limit: number) => [
  403,
  "quota_exceeded",
  `the account's quota of ${limit} ${name} is reached`,
];
const outcome = ({ status, code, body }: Answer) => [status, code, body];

describe("quotas", () => {
  it.each(Object.keys(MAKE))("quotas admit exactly the limit of %s if fifty requests arrive at once", async (name) => {
    const who = await tenant();
    const limit = 3 + ((await use(who, name))?.used ?? 0);
    await setQuotas(who.account, { [name]: limit, uploads: 100 });
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => MAKE[name]?.(who.user, n)));
    expect(answers.filter((answer) => answer?.status === 201)).toHaveLength(3);
    for (const answer of answers)
      if (answer && answer.status !== 201) expect(outcome(answer)).toEqual(FORBIDDEN(name, limit));
    expect(await use(who, name)).toEqual({ limit, used: limit });
  });

  it("leave nothing of a refused request, not even an audit entry", async () => {
    const who = await tenant();
    await setQuotas(who.account, { agents: 0 });
    const entries = async () => (await who.user.get<{ total: number }>("/api/v1/audit-log")).body.total;
    const before = await entries();
    const { body } = await who.user.get<{ agents: { id: string }[] }>("/api/v1/marketplace/agents?limit=1");
    const installed = await who.user.post(`/api/v1/marketplace/agents/${body.agents[0]?.id}/install`);
    expect(outcome(installed)).toEqual(FORBIDDEN("agents", 0));
    expect((await who.user.get("/api/v1/agents")).body).toEqual([]);
    expect(await entries()).toBe(before);
  });

  it("permit changing and deleting what exists if the limit was lowered below it", async () => {
    const { server, account } = await tenant();
    const ids: string[] = [];
    for (const name of ["Ada", "Grace", "Joan"])
      ids.push((await server.post<{ id: string }>("/api/v1/agents", { name })).body.id);
    await setQuotas(account, { agents: 1 });
    expect((await server.patch(`/api/v1/agents/${ids[0]}`, { system_prompt: "x".repeat(500) })).status).toBe(200);
    expect((await server.delete(`/api/v1/agents/${ids[0]}`)).status).toBe(204);
    expect(outcome(await server.post("/api/v1/agents", { name: "Mary" }))).toEqual(FORBIDDEN("agents", 1));
    for (const id of ids.slice(1)) expect((await server.delete(`/api/v1/agents/${id}`)).status).toBe(204);
    expect((await server.post("/api/v1/agents", { name: "Mary" })).status).toBe(201);
  });

  it("permit disabling and deleting a key at the limit, but not enabling one beyond it", async () => {
    const { user, key, account } = await tenant();
    const path = `/api/v1/api-keys/${key.id}`;
    await setQuotas(account, { api_keys: 0 });
    expect((await user.patch(path, { disabled: true })).status).toBe(204);
    expect(outcome(await user.patch(path, { disabled: false }))).toEqual(FORBIDDEN("api_keys", 0));
    expect((await user.delete(path)).status).toBe(204);
  });

  it("do not prevent an operator from resealing secrets", async () => {
    const { user, account } = await tenant();
    await user.post("/api/v1/telephony/providers", { provider: "sandbox", credentials: {} });
    await setQuotas(account, { credentials: 0 });
    expect((await (await operator()).post("/api/admin/v1/rekey")).status).toBe(200);
  });

  it("refuse an upload or a stream for a while if the limit of open ones is reached", async () => {
    const { server, account } = await tenant();
    const { body } = await upload(server, contactsCsv(1));
    await setQuotas(account, { uploads: 0, event_streams: 1 });
    const refused = await upload(server, contactsCsv(1));
    expect(outcome(refused)).toEqual([429, "quota_exceeded", "the account's quota of 0 uploads is reached"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await server.get<{ total: number }>("/api/v1/campaigns")).body.total).toBe(1);

    const stream = await openStream(server, body.id);
    await stream.until(/event: snapshot/);
    const second = await server.get(`/api/v1/campaigns/${body.id}/events`);
    expect(outcome(second)).toEqual([429, "quota_exceeded", "the account's quota of 1 event_streams is reached"]);
    expect(second.headers.get("retry-after")).toBe("15");
    await stream.leave();
  });

  it("admit exactly the limit of stream readers if twenty arrive at once", async () => {
    const { server, account } = await tenant();
    const { body } = await upload(server, contactsCsv(1));
    await setQuotas(account, { event_streams: 3 });
    const coming = Array.from({ length: 20 }, () => openStream(server, body.id));
    const streams = await Promise.allSettled(coming);
    const open = streams.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    expect(open).toHaveLength(3);
    for (const stream of open) await stream.leave();
  });

  it.each([
    ["a negative one", { agents: -1 }],
    ["half a one", { agents: 0.5 }],
    ["words", { agents: "many" }],
  ])("quotas are not overridden by %s", async (_, quotas) => {
    const [admin, { account }] = [await operator(), await tenant()];
    const path = `/api/admin/v1/accounts/${account}`;
    expect((await admin.patch(path, { quotas })).status).toBe(400);
    expect((await admin.post("/api/admin/v1/accounts", { name: `${account}-2`, quotas })).status).toBe(400);
  });
});

describe("a field that is JSON", () => {
  const large = (bytes: number) => ({ text: "é".repeat(bytes / 2) });
  const [fits, tooLarge] = [large(65_000), large(66_000)];
  const createdPath = async (client: Client, path: string, body: object) => {
    const { id } = (await client.post<{ id: string }>(path, body)).body;
    return `${path}/${id}`;
  };

  it.each<[string, string, (client: Client, value: unknown) => Promise<Answer>]>([
    ["a tool's schema", "schema", (client, schema) => client.post("/api/v1/tools", { name: "one", schema })],
    [
      "a tool's config",
      "implementation_config",
      async (client, implementation_config) =>
        client.put(await createdPath(client, "/api/v1/tools", { name: "one" }), { implementation_config }),
    ],
    [
      "an agent's tool's config",
      "config",
      async (client, config) => {
        await client.post("/api/v1/tools", { name: "one" });
        const agent = await createdPath(client, "/api/v1/agents", { name: "Ada" });
        return client.put(`${agent}/tools`, { tool_name: "one", config });
      },
    ],
    [
      "an integration's params",
      "params",
      async (client, params) => {
        const path = "/api/v1/integrations/slack/install";
        return client.post(path, { params: { channel: JSON.stringify(params) } });
      },
    ],
  ])("a JSON field is limited to 64 KB: %s", async (_, field, send) => {
    const { server } = await tenant();
    const refused = await send(server, tooLarge);
    expect(outcome(refused)).toEqual([400, "invalid_request", `${field}: must not be larger than 64 KB as JSON`]);
    const { server: another } = await tenant();
    expect((await send(another, fits)).status).toBeLessThan(300);
  });

  it("secrets and credentials are limited to 64 KB", async () => {
    const { server } = await tenant();
    const secrets = Object.fromEntries(["a", "b", "c", "d"].map((name) => [name, "x".repeat(19_000)]));
    const install = await server.post("/api/v1/integrations/slack/install", { secrets });
    expect(install.body).toBe("secrets: must not be larger than 64 KB as JSON");
    const providers = "/api/v1/telephony/providers";
    const stored = await server.post(providers, { provider: "sandbox", credentials: tooLarge });
    expect(stored.body).toBe("credentials: must not be larger than 64 KB as JSON");
  });
});
