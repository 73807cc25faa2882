import { afterEach, describe, expect, it, vi } from "vitest";
import { ready } from "../../campaign/support.ts";
import { tenant } from "../../support/client.ts";
import { eventsSoFar, happening, happenings, list, take } from "../events/support.ts";
import {
  createdWebhook,
  delivered,
  deliveries,
  eventually,
  type ListedDelivery,
  type ListedWebhook,
  type Page,
  pathOf,
  read,
  receiver,
  verified,
} from "./support.ts";

afterEach(() => vi.unstubAllGlobals());

const statuses = (rows: ListedDelivery[]) => rows.map(({ status }) => status);

describe("a webhook", () => {
  it("receives signed events", async () => {
    const { account, server } = await tenant();
    const got = receiver();
    const webhook = await createdWebhook(server);
    await take(account, [happening(1)]);
    const delivery = await delivered(server, webhook, {
      status: "delivered",
      type: "opt_out.added",
      next_attempt_at: null,
    });
    const [event] = (await list(server)).events;
    expect(got).toHaveLength(1);
    const [first] = got;
    if (!first || !event) throw new Error("nothing came");
    expect(verified(first, webhook.secret)).toEqual({
      id: event.id,
      type: event.type,
      timestamp: event.at,
      account,
      data: event.data,
    });
    expect(() => verified(first, `whsec_${btoa("x".repeat(32))}`)).toThrow();
    expect(first.headers).toMatchObject({ "webhook-id": event.id, "content-type": "application/json" });
    expect(first.headers["user-agent"]).toMatch(/^Switchboard/);
    expect(delivery.attempts).toMatchObject([{ status_code: 200, error: null, response: "thanks" }]);
    expect(await read(server, webhook)).toMatchObject({
      status: "enabled",
      behind: 0,
      missed: 0,
      failing_since: null,
      last_delivery_at: expect.any(String),
    });
  });

  it("receives later events of its types", async () => {
    const { account, server } = await tenant();
    await take(account, happenings(1, 3));
    const got = receiver();
    const webhook = await createdWebhook(server, { types: ["tool_run.*"] });
    // Events of the same millisecond may still follow.
    got.length = 0;
    await take(account, happenings(4, 9));
    await eventually(async () => expect((await read(server, webhook)).behind).toBe(0));
    await eventually(() => expect(got.filter(({ message }) => message.data.run_id).length).toBeGreaterThanOrEqual(2));
    expect(new Set(got.map(({ message }) => message.type))).toEqual(new Set(["tool_run.failed"]));
  });

  it("shows its secret once, and a repeated creation creates no second one", async () => {
    const { server } = await tenant();
    receiver();
    const body = JSON.stringify({ url: "https://shop.example/hook", types: ["*"], description: "CRM" });
    const headers = { "idempotency-key": "once", "content-type": "application/json" };
    const first = await server.send<ListedWebhook>("POST", "/api/v1/webhooks", body, headers);
    const again = await server.send<ListedWebhook>("POST", "/api/v1/webhooks", body, headers);
    expect(first.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(again.body).toMatchObject({ id: first.body.id, secret: null });
    const { body: all } = await server.get<{ webhooks: ListedWebhook[]; total: number }>("/api/v1/webhooks");
    expect(all.total).toBe(1);
    expect(all.webhooks[0]).not.toHaveProperty("secret");
    expect(await read(server, first.body)).toMatchObject({ description: "CRM", types: ["*"], content: true });
  });

  it("sends the same bytes with every attempt, and when a delivery is resent", async () => {
    const { account, server } = await tenant();
    const got = receiver((_, n) => new Response("no", { status: n === 1 ? 500 : 200 }));
    const webhook = await createdWebhook(server);
    await take(account, [happening(1)]);
    const failed = await delivered(server, webhook, { status: "pending", attempts: [{ error: "answered 500" }] });
    expect(failed.next_attempt_at).not.toBeNull();
    expect((await read(server, webhook)).failing_since).not.toBeNull();
    const resend = `${pathOf(webhook)}/deliveries/${failed.id}/resend`;
    expect((await server.post<ListedDelivery>(resend)).body).toMatchObject({ id: failed.id, status: "pending" });
    await delivered(server, webhook, { status: "delivered" });
    await server.post(resend);
    await eventually(() => expect(got).toHaveLength(3));
    expect(new Set(got.map(({ body }) => body)).size).toBe(1);
    expect(new Set(got.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    const again = await delivered(server, webhook, { status: "delivered", attempts: { length: 3 } });
    expect(again.event_id).toBe(got[0]?.message.id);
  });

  it("sends a test on request, and waits for the response", async () => {
    const { account, server } = await tenant();
    const got = receiver(
      (_, n) =>
        new Response("x".repeat(5_000), {
          status: n === 1 ? 200 : 302,
          headers: { location: "https://other.example/" },
        }),
    );
    const webhook = await createdWebhook(server);
    const test = await server.post<ListedDelivery>(`${pathOf(webhook)}/test`);
    expect(test.body).toMatchObject({ type: "webhook.test", status: "delivered", attempts: [{ status_code: 200 }] });
    expect(test.body.attempts[0]?.response).toHaveLength(1_024);
    const [first] = got;
    if (!first) throw new Error("nothing came");
    expect(verified(first, webhook.secret)).toMatchObject({
      type: "webhook.test",
      account,
      data: { webhook_id: webhook.id },
    });
    const second = await server.post<ListedDelivery>(`${pathOf(webhook)}/test`);
    expect(second.body).toMatchObject({
      status: "failed",
      attempts: [{ status_code: 302, error: "answered 302: redirects are not followed" }],
    });
    expect(got).toHaveLength(2);
    expect(await read(server, webhook)).toMatchObject({ failing_since: null });
  });

  it("signs with both secrets for a day after a rotation", async () => {
    const { account, server } = await tenant();
    const got = receiver();
    const webhook = await createdWebhook(server);
    const { body: rotated } = await server.post<ListedWebhook>(`${pathOf(webhook)}/rotate-secret`);
    expect(rotated.secret).not.toBe(webhook.secret);
    await take(account, [happening(1)]);
    await eventually(() => expect(got).toHaveLength(1));
    const [first] = got;
    if (!first) throw new Error("nothing came");
    expect(first.headers["webhook-signature"]?.split(" ")).toHaveLength(2);
    for (const secret of [webhook.secret, rotated.secret]) expect(verified(first, secret)).toMatchObject({ account });
    expect((await read(server, webhook)).secret_expires_at).toBe(rotated.secret_expires_at);
  });

  it("starts over with a new address, which receives no older events", async () => {
    const { account, server } = await tenant();
    const got = receiver(({ url }) => new Response("", { status: url.endsWith("/new") ? 200 : 500 }));
    const webhook = await createdWebhook(server);
    await take(account, [happening(1)]);
    const old = await delivered(server, webhook, { status: "pending", attempts: { length: 1 } });
    const url = "https://shop.example/new";
    const changed = await server.patch<ListedWebhook>(pathOf(webhook), { url });
    expect(changed.body).toMatchObject({ url, secret: expect.stringMatching(/^whsec_/), failing_since: null });
    expect(changed.body.secret).not.toBe(webhook.secret);
    expect(statuses(await deliveries(server, webhook))).toEqual(["failed"]);
    const refused = await server.post(`${pathOf(webhook)}/deliveries/${old.id}/resend`);
    expect([refused.status, refused.code]).toEqual([409, "other_address"]);
    const none = await server.post(`${pathOf(webhook)}/resend`, { since: "2020-01-01T00:00:00Z" });
    expect(none.body).toEqual({ deliveries: 0 });
    await take(account, [happening(2)]);
    await delivered(server, webhook, { status: "delivered" });
    const there = got.filter((one) => one.url === url);
    expect(there).toHaveLength(1);
    const [only] = there;
    if (only) expect(verified(only, changed.body.secret)).toMatchObject({ account });
    expect((await server.patch<ListedWebhook>(pathOf(webhook), { description: "x" })).body.secret).toBeNull();
  });

  it("queues nothing while it is disabled, and continues with new events once it is enabled", async () => {
    const { account, server } = await tenant();
    const got = receiver();
    const webhook = await createdWebhook(server);
    const off = await server.patch<ListedWebhook>(pathOf(webhook), { enabled: false });
    expect(off.body).toMatchObject({ enabled: false, status: "disabled", disabled_reason: "requested", behind: 0 });
    await take(account, [happening(1)]);
    expect((await server.post(`${pathOf(webhook)}/resend`, { since: "2020-01-01T00:00:00Z" })).code).toBe(
      "webhook_disabled",
    );
    const on = await server.patch<ListedWebhook>(pathOf(webhook), { enabled: true });
    expect(on.body).toMatchObject({ enabled: true, status: "enabled", disabled_reason: null });
    await take(account, [happening(2)]);
    await delivered(server, webhook, { status: "delivered" });
    expect(got.map(({ message }) => message.id)).toContain(happening(2).id);
  });

  it("disables itself after a 410, receives nothing more, and can resend everything", async () => {
    const { account, server } = await tenant();
    let isGone = true;
    const got = receiver(() => new Response("", { status: isGone ? 410 : 200 }));
    const webhook = await createdWebhook(server);
    await take(account, happenings(1, 20));
    const [event] = await eventsSoFar(server, "webhook.disabled", 1);
    expect(event?.data).toMatchObject({ webhook_id: webhook.id, reason: "gone", host: "shop.example" });
    await eventually(async () =>
      expect(await read(server, webhook)).toMatchObject({
        enabled: false,
        status: "disabled",
        disabled_reason: "gone",
      }),
    );
    expect(new Set(statuses(await deliveries(server, webhook)))).toEqual(new Set(["failed"]));
    expect(got.map(({ message }) => message.type)).not.toContain("webhook.disabled");
    const failed = (await deliveries(server, webhook)).length;
    isGone = false;
    expect((await server.patch(pathOf(webhook), { enabled: true })).status).toBe(200);
    const again = await server.post(`${pathOf(webhook)}/resend`, { since: "2020-01-01T00:00:00Z" });
    expect(again.body).toEqual({ deliveries: failed });
    await eventually(async () => {
      const all = await deliveries(server, webhook);
      expect(new Set(statuses(all))).toEqual(new Set(["delivered"]));
    });
    expect(await eventsSoFar(server, "webhook.disabled", 1)).toHaveLength(1);
  });

  it("lists its deliveries by status, type and time, page by page", async () => {
    const { account, server } = await tenant();
    receiver();
    const webhook = await createdWebhook(server);
    await take(account, happenings(1, 12));
    await eventually(async () =>
      expect(statuses(await deliveries(server, webhook, "status=delivered&limit=100"))).toHaveLength(12),
    );
    const pages: string[] = [];
    let next: string | null = "";
    while (next !== null) {
      const after: string = next === "" ? "" : `&after=${next}`;
      const { body } = await server.get<Page>(`${pathOf(webhook)}/deliveries?limit=5${after}`);
      pages.push(...body.deliveries.map(({ id }) => id));
      next = body.next;
    }
    expect(new Set(pages).size).toBe(12);
    expect(await deliveries(server, webhook, "type=tool_run.failed&limit=100")).toHaveLength(4);
    expect(await deliveries(server, webhook, "status=failed")).toEqual([]);
    expect(await deliveries(server, webhook, `since=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([]);
  });

  it("sends the transcript's address when a conversation ends, but no link that opens without a credential", async () => {
    const { server } = await tenant();
    const types = (
      await server.get<{ type: string; example: { data: Record<string, unknown> } }[]>("/api/v1/event-types")
    ).body;
    const ended = types.find(({ type }) => type === "conversation.ended");
    expect(ended?.example.data.transcript_url).toMatch(/\/conversations\/[\w-]+\/transcript$/);
  });

  it("a webhook is limited to its agents", async () => {
    const { server } = await tenant();
    receiver();
    const { agent_id } = await ready({ server });
    expect(await createdWebhook(server, { agent_ids: [agent_id] })).toMatchObject({ agent_ids: [agent_id] });
  });
});
