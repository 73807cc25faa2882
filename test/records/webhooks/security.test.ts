import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { newEvent } from "../../../src/records/events/event.ts";
import { erased } from "../../account-data/erasures/support.ts";
import { ready } from "../../campaign/support.ts";
import { apiKey, consoleUser, operator, tenant } from "../../support/client.ts";
import { happening, list, take } from "../events/support.ts";
import {
  create,
  createdWebhook,
  delivered,
  deliveries,
  eventually,
  type ListedWebhook,
  pathOf,
  read,
  receiver,
  verified,
} from "./support.ts";

afterEach(() => vi.unstubAllGlobals());

const ADDRESSES = [
  "http://shop.example/hook",
  "https://127.0.0.1/hook",
  "https://2130706433/hook",
  "https://0x7f.1/hook",
  "https://[::1]/hook",
  "https://[::ffff:10.0.0.1]/hook",
  "https://169.254.169.254/latest/meta-data",
  "https://8.8.8.8/hook",
  "https://localhost/hook",
  "https://printer.local/hook",
  "https://intranet/hook",
  "https://10.0.0.1.nip.io/hook",
  "https://shop.example:8443/hook",
  "https://user:secret@shop.example/hook",
  "https://switchboard.test/api/v1/webhooks",
  "https://SWITCHBOARD.test./hook",
  "https://[::]/hook",
  "https://[fe80::1]/hook",
  "https://[64:ff9b::a00:1]/hook",
  "https://[2002:7f00:1::]/hook",
  "https://[2606:4700::1111]/hook",
  "https://127.1/hook",
  "https://0177.0.0.1/hook",
  "https://１２７.０.０.１/hook",
  "https://localhost./hook",
  "https://a.lvh.me/hook",
  "https://metadata.google.internal/hook",
  "https://kubernetes.default.svc/hook",
  "https://10-0-0-1.shop.example/hook",
  "https://shop.example@127.0.0.1/hook",
  "https://shop.example:80/hook",
  "wss://shop.example/hook",
  "data:,hook",
  "ftp://shop.example/hook",
  "javascript:alert(1)",
];

describe("a webhook's address", () => {
  it("a webhook's address that is not public is refused without a request", async () => {
    const { server } = await tenant();
    const got = receiver();
    const webhook = await createdWebhook(server);
    for (const url of ADDRESSES) {
      const answer = await create(server, { url });
      expect([answer.status, answer.code], url).toEqual([400, "address_refused"]);
      expect((await server.patch(pathOf(webhook), { url })).status, url).toBe(400);
    }
    expect(got).toEqual([]);
  });

  it("a webhook's address is checked again with every delivery", async () => {
    const { account, server } = await tenant();
    const got = receiver();
    const webhook = await createdWebhook(server);
    await env.DB.prepare("UPDATE webhooks SET url = 'https://127.0.0.1/', revision = revision + 1 WHERE id = ?")
      .bind(webhook.id)
      .run();
    // After any change, the webhook reads its configuration.
    await server.patch(pathOf(webhook), { description: "x" });
    await take(account, [happening(1)]);
    const delivery = await delivered(server, webhook, { status: "pending", attempts: { length: 1 } });
    expect(delivery.attempts[0]?.error).toMatch(/^the address is refused/);
    expect(got).toEqual([]);
  });
});

describe("an API key for webhooks", () => {
  it("changes nothing without connect, and without listen sees no responses and sends no content", async () => {
    const { account, user, server } = await tenant();
    const got = receiver(() => new Response("call +13035550110 again"));
    const viewer = await apiKey(user, { scopes: ["read"] });
    expect(await create(viewer.server)).toMatchObject({ status: 403, code: "missing_scope" });
    const connector = await apiKey(user, { scopes: ["connect"] });
    const masked = await createdWebhook(connector.server, { url: "https://shop.example/masked" });
    expect(masked.content).toBe(false);
    const whole = await createdWebhook(server);
    await take(account, [happening(1)]);
    await delivered(server, whole, { status: "delivered" });
    await delivered(server, masked, { status: "delivered" });
    const numberAt = (path: string) => got.find(({ url }) => url.endsWith(path))?.message.data.phone_number;
    expect(numberAt("/hook")).toBe("+13035550110");
    expect(numberAt("/masked")).toBe("•••• 0110");
    const [seen] = await deliveries(viewer.server, whole);
    expect(seen?.attempts).toMatchObject([{ status_code: 200, response: null }]);
    expect((await deliveries(server, whole))[0]?.attempts[0]?.response).toBe("call +13035550110 again");
    // Callers cannot add events that they may not see.
    await connector.server.patch(pathOf(whole), { types: ["*", "call.*"] });
    expect((await read(server, whole)).content).toBe(false);
  });

  it("sees only the host of an address without connect", async () => {
    const { user, server, account } = await tenant();
    const { id } = await createdWebhook(server, { url: "https://shop.example/hook?token=T0KEN" });
    const viewer = await apiKey(user, { scopes: ["listen", "dial", "build"] });
    for (const path of ["/api/v1/webhooks", `/api/v1/webhooks/${id}`, `/api/v1/webhooks/${id}/deliveries`])
      expect(JSON.stringify((await viewer.server.get(path)).body), path).not.toContain("T0KEN");
    expect((await viewer.server.get<ListedWebhook>(`/api/v1/webhooks/${id}`)).body.url).toBe("https://shop.example/…");
    const member = await consoleUser(account, "builder");
    expect((await member.get<ListedWebhook>(`/api/v1/webhooks/${id}`)).body.url).toContain("T0KEN");
  });

  it("leaves its webhooks, which name their author, when it is limited or deleted", async () => {
    const { user, server, account } = await tenant();
    const got = receiver();
    const key = await apiKey(user, { scopes: ["connect", "listen"] });
    const webhook = await createdWebhook(key.server);
    expect(webhook.created_by).toBe(key.id);
    await user.patch(`/api/v1/api-keys/${key.id}`, { scopes: ["connect"] });
    await take(account, [happening(1)]);
    await delivered(server, webhook, { status: "delivered" });
    // If a member may see less than the webhook sends, any change that they make to it narrows what is sent.
    await key.server.patch(pathOf(webhook), { types: ["*", "call.*"] });
    await user.delete(`/api/v1/api-keys/${key.id}`);
    expect((await key.server.get(pathOf(webhook))).status).toBeGreaterThanOrEqual(401);
    await take(account, [happening(2)]);
    await eventually(() => expect(got).toHaveLength(2));
    expect(got.map(({ message }) => message.data.phone_number)).toEqual(["+13035550110", "•••• 0110"]);
    expect((await read(server, webhook)).created_by).toBe(key.id);
    await server.delete(pathOf(webhook));
    await take(account, [happening(3)]);
    expect((await server.get(pathOf(webhook))).status).toBe(404);
    expect(got).toHaveLength(2);
  });

  it("an API key limited to agents creates and sees only webhooks of these agents", async () => {
    const { account, user, server } = await tenant();
    const got = receiver();
    const { agent_id } = await ready({ server });
    const { body: other } = await server.post<{ id: string }>("/api/v1/agents", { name: "other" });
    const limited = await apiKey(user, { scopes: ["connect", "listen"], agent_ids: [agent_id] });
    const all = await createdWebhook(server);
    const others = await createdWebhook(server, { agent_ids: [other.id] });
    const own = await createdWebhook(limited.server, { url: "https://shop.example/own" });
    expect(own.agent_ids).toEqual([agent_id]);
    expect(await create(limited.server, { agent_ids: [other.id] })).toMatchObject({
      status: 403,
      code: "agent_not_allowed",
    });
    const { body } = await limited.server.get<{ webhooks: ListedWebhook[] }>("/api/v1/webhooks");
    expect(body.webhooks.map(({ id }) => id)).toEqual([own.id]);
    for (const webhook of [all, others]) {
      expect((await limited.server.get(pathOf(webhook))).status).toBe(404);
      expect((await limited.server.patch(pathOf(webhook), { enabled: false })).status).toBe(404);
      expect((await limited.server.post(`${pathOf(webhook)}/test`)).status).toBe(404);
      expect((await limited.server.delete(pathOf(webhook))).status).toBe(404);
    }
    expect((await limited.server.patch<ListedWebhook>(pathOf(own), { agent_ids: null })).body.agent_ids).toEqual([
      agent_id,
    ]);
    const about = (agent: string | null, n: number) =>
      newEvent("opt_out.added", new Date().toISOString(), `about ${n}`, {
        phone_number: "+13035550110",
        reason: null,
        conversation_id: null,
        agent_id: agent,
        url: "/api/v1/do-not-call",
      });
    await take(account, [about(other.id, 1), about(null, 2), about(agent_id, 3)]);
    await eventually(async () => expect(await deliveries(server, all)).toHaveLength(3));
    await delivered(server, own, { status: "delivered" });
    expect(got.filter(({ url }) => url.endsWith("/own")).map(({ message }) => message.data.agent_id)).toEqual([
      agent_id,
    ]);
  });
});

describe("a webhook's secrets", () => {
  it("a webhook's secrets are sealed, unlisted, and still sign after the encryption key is replaced", async () => {
    const { account, server } = await tenant();
    const got = receiver();
    const webhook = await createdWebhook(server);
    const stored = await env.DB.prepare("SELECT secrets FROM webhooks WHERE id = ?")
      .bind(webhook.id)
      .first<{ secrets: string }>();
    expect(stored?.secrets).toMatch(/^v1\./);
    expect(stored?.secrets).not.toContain(webhook.secret.slice(6));
    expect(JSON.stringify((await server.get("/api/v1/webhooks")).body)).not.toContain("whsec_");
    expect((await (await operator()).post("/api/admin/v1/rekey")).status).toBe(200);
    await take(account, [happening(1)]);
    await eventually(() => expect(got).toHaveLength(1));
    const [first] = got;
    if (first) expect(verified(first, webhook.secret)).toMatchObject({ account });
  });
});

describe("an erasure", () => {
  it("removes a person from sent and pending deliveries, and from responses", async () => {
    const owner = await tenant();
    const { account, server } = owner;
    receiver(() => new Response("noted: +1 303 555 0110", { status: 500 }));
    const webhook = await createdWebhook(server);
    await take(account, [happening(1)]);
    const before = await delivered(server, webhook, { status: "pending", attempts: { length: 1 } });
    expect(before.attempts[0]?.response).toContain("0110");
    await erased(owner, { phone_number: "+13035550110" });
    const got = receiver();
    await server.post(`${pathOf(webhook)}/deliveries/${before.id}/resend`);
    await eventually(() => expect(got).toHaveLength(1));
    expect(got[0]?.body).not.toContain('0110"');
    const [event] = (await list(server, { types: "opt_out.added" })).events.filter(({ id }) => id === before.event_id);
    expect(got[0]?.message.data).toEqual(event?.data);
    const [after] = await deliveries(server, webhook, "type=opt_out.added&limit=100");
    expect(JSON.stringify(after)).not.toContain("555 0110");
  });
});
