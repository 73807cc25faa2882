import { runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { tenant } from "../../support/client.ts";
import { happening, take } from "../events/support.ts";
import {
  create,
  createdWebhook,
  delivered,
  deliveries,
  eventually,
  type ListedDelivery,
  type ListedWebhook,
  objectOf,
  pathOf,
  read,
  receiver,
} from "./support.ts";

afterEach(() => vi.unstubAllGlobals());

const UNKNOWN = "019aa5c1-60b4-7f3a-9d05-2e81c6a7f119";

describe("a request about webhooks", () => {
  it("an invalid webhook is refused with the field that is wrong", async () => {
    const { server } = await tenant();
    for (const [wanted, field] of [
      [{ types: ["call.ended", "call.exploded"] }, "types"],
      [{ types: [] }, "types"],
      [{ types: "call.*" }, "types"],
      [{ url: "shop.example" }, "url"],
      [{ agent_ids: [UNKNOWN] }, "agent_ids"],
      [{ agent_ids: [] }, "agent_ids"],
      [{ enabled: "yes" }, "enabled"],
    ] as const) {
      const { status, body } = await create(server, wanted);
      expect([status, String(body)], JSON.stringify(wanted)).toEqual([400, expect.stringContaining(field)]);
    }
    const { body } = await create(server, { types: ["call.exploded"] });
    expect(body).toContain("call.exploded");
  });

  it("a webhook beyond the quota is refused until another is deleted", async () => {
    const { server } = await tenant({ plan: "starter" });
    receiver();
    const all = await Promise.all(Array.from({ length: 8 }, () => create(server)));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(all.find(({ status }) => status !== 201)).toMatchObject({ status: 403, code: "quota_exceeded" });
    const first = all.find(({ status }) => status === 201)?.body;
    if (!first) throw new Error("none was made");
    expect((await server.delete(pathOf(first))).status).toBe(204);
    await createdWebhook(server);
  });

  it("answers 404 for an unknown resource, and 400 for a forged cursor", async () => {
    const { server } = await tenant();
    receiver();
    const webhook = await createdWebhook(server);
    const path = `/api/v1/webhooks/${UNKNOWN}`;
    for (const answer of [
      await server.get(path),
      await server.patch(path, { enabled: false }),
      await server.delete(path),
      await server.post(`${path}/test`),
      await server.post(`${path}/rotate-secret`),
      await server.get(`${path}/deliveries`),
      await server.post(`${path}/resend`, { since: "2026-11-21T00:00:00Z" }),
      await server.post(`${pathOf(webhook)}/deliveries/${UNKNOWN}/resend`),
    ])
      expect(answer.status).toBe(404);
    for (const [filter, name] of [
      ["after=nothing", "after"],
      ["type=call.begun", "call.started"],
    ] as const) {
      const { status, body } = await server.get(`${pathOf(webhook)}/deliveries?${filter}`);
      expect([status, String(body)]).toEqual([400, expect.stringContaining(name)]);
    }
    for (const type of ["call.ended", "webhook.test"])
      expect((await server.get(`${pathOf(webhook)}/deliveries?type=${type}`)).status).toBe(200);
  });

  it("answers 412 for an outdated ETag", async () => {
    const { server } = await tenant();
    receiver();
    const webhook = await createdWebhook(server);
    const { headers } = await server.get(pathOf(webhook));
    const tag = headers.get("etag") ?? "";
    const change = (description: string) =>
      server.send("PATCH", pathOf(webhook), JSON.stringify({ description }), {
        "if-match": tag,
        "content-type": "application/json",
      });
    expect((await change("a")).status).toBe(200);
    expect((await change("b")).status).toBe(412);
  });
});

describe("a delivery that fails", () => {
  it("shows the reason: an unreachable server, an endless body, a redirect", async () => {
    const { account, server } = await tenant();
    receiver(() => {
      throw new TypeError("connection refused by 10.1.2.3");
    });
    const webhook = await createdWebhook(server);
    await take(account, [happening(1)]);
    const delivery = await delivered(server, webhook, {
      status: "pending",
      attempts: [{ status_code: null, response: null }],
    });
    expect(delivery.attempts[0]?.error).toBe("shop.example could not be reached");
    let cancelled = false;
    receiver(
      () =>
        new Response(
          new ReadableStream({
            pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024).fill(97)),
            cancel: () => {
              cancelled = true;
            },
          }),
        ),
    );
    const test = await server.post<ListedDelivery>(`${pathOf(webhook)}/test`);
    expect(test.body).toMatchObject({ status: "delivered", attempts: [{ status_code: 200 }] });
    expect(test.body.attempts[0]?.response).toHaveLength(1_024);
    await eventually(() => expect(cancelled).toBe(true));
  });

  it("shows the time of the next attempt, even if the receiver asked for a delay", async () => {
    const { account, server } = await tenant();
    const got = receiver(() => new Response(null, { status: 429, headers: { "retry-after": "600" } }));
    const webhook = await createdWebhook(server);
    await take(account, [happening(1)]);
    await delivered(server, webhook, { status: "pending", attempts: [{ status_code: 429 }] });
    await take(account, [happening(2)]);
    await eventually(async () => expect(await deliveries(server, webhook)).toHaveLength(2));
    const [waiting] = await deliveries(server, webhook);
    expect(waiting).toMatchObject({ status: "pending", attempts: [] });
    expect(Date.parse(waiting?.next_attempt_at ?? "")).toBeGreaterThan(Date.now() + 300_000);
    expect(got).toHaveLength(1);
  });

  it("does not delay other deliveries", async () => {
    const { account, server } = await tenant();
    const hanging = Promise.withResolvers<Response>();
    const got = receiver(({ url }) => (url.endsWith("/hangs") ? hanging.promise : new Response()));
    const slow = await createdWebhook(server, { url: "https://shop.example/hangs" });
    const other = await createdWebhook(server);
    await take(
      account,
      Array.from({ length: 12 }, (_, n) => happening(n)),
    );
    await eventually(() => expect(got.filter(({ url }) => !url.endsWith("/hangs"))).toHaveLength(12));
    // Each webhook gets four requests at a time, however many deliveries wait.
    await eventually(() => expect(got.filter(({ url }) => url.endsWith("/hangs"))).toHaveLength(4));
    expect(await read(server, other)).toMatchObject({ behind: 0, failing_since: null });
    hanging.resolve(new Response());
    await eventually(async () =>
      expect((await deliveries(server, slow, "status=delivered&limit=100")).length).toBe(12),
    );
  });
});

describe("a crash", () => {
  it("does not prevent the delivery of an event that occurred while the webhook's object could not be reached", async () => {
    const { account, server } = await tenant();
    const got = receiver();
    const webhook = await createdWebhook(server);
    // The webhook's object cannot accept anything while its table is renamed.
    const within = (sql: string) =>
      runInDurableObject(
        objectOf(account, webhook) as unknown as DurableObjectStub,
        (_, { storage }) => void storage.sql.exec(sql),
      );
    await within("ALTER TABLE endpoint RENAME TO away");
    await take(account, [happening(1)]);
    await within("ALTER TABLE away RENAME TO endpoint");
    await eventually(() => expect(got).toHaveLength(1));
    expect(await read(server, webhook)).toMatchObject({ behind: 0 });
  });

  it("leaves nothing of a webhook that was deleted", async () => {
    const { account, server } = await tenant();
    const got = receiver();
    const webhook = await createdWebhook(server);
    await take(account, [happening(1)]);
    await delivered(server, webhook, { status: "delivered" });
    expect((await server.delete(pathOf(webhook))).status).toBe(204);
    const tables = await runInDurableObject(
      objectOf(account, webhook) as unknown as DurableObjectStub,
      (_, { storage }) =>
        storage.sql
          .exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'")
          .toArray(),
    );
    expect(tables).toEqual([]);
    await take(account, [happening(2)]);
    const other = await createdWebhook(server);
    await take(account, [happening(3)]);
    await delivered(server, other, { status: "delivered" });
    expect(got.filter(({ message }) => message.id === happening(2).id).length).toBeLessThanOrEqual(1);
    expect((await server.get<ListedWebhook>(pathOf(webhook))).status).toBe(404);
  });
});
