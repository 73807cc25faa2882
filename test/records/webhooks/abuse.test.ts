import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { accountEvents } from "../../../src/kernel/durable/objects.ts";
import { operator, tenant } from "../../support/client.ts";
import { happening, take } from "../events/support.ts";
import { create, createdWebhook, eventually, objectOf, pathOf, receiver } from "./support.ts";

afterEach(() => vi.unstubAllGlobals());

describe("a webhook", () => {
  it.each([
    "https://127.0.0.1/h",
    "https://2130706433/h",
    "https://0x7f.1/h",
    "https://[::1]/h",
    "https://[::ffff:10.0.0.1]/h",
    "https://[fd00::1]/h",
    "https://8.8.8.8/h",
    "https://localhost./h",
    "https://metadata.google.internal/h",
    "https://10.0.0.1.nip.io/h",
    "https://user:word@shop.example/h",
    "https://shop.example:8443/h",
    "http://shop.example/h",
    "https://switchboard.test/h",
    "https://SWITCHBOARD.test./h",
    "file:///etc/passwd",
    "https://router/h",
  ])("a webhook is neither created for %s nor changed to it later", async (url) => {
    const { server } = await tenant();
    const got = receiver();
    expect((await create(server, { url })).code).toBe("address_refused");
    const webhook = await createdWebhook(server);
    expect((await server.patch(pathOf(webhook), { url })).code).toBe("address_refused");
    expect(got).toEqual([]);
  });

  it("sends only a few tests at a time, so that they leave room for events", async () => {
    const { server, account } = await tenant();
    let holds = true;
    const got = receiver(async ({ message }) => {
      // Uses a flag, because code that waits in the webhook's object cannot be resumed from here.
      while (message.type === "webhook.test" && holds) await new Promise((resolve) => setTimeout(resolve, 20));
      return new Response();
    });
    const webhook = await createdWebhook(server);
    const tests = Array.from({ length: 8 }, () => server.post(`${pathOf(webhook)}/test`));
    await eventually(() => expect(got.length).toBeGreaterThanOrEqual(2));
    await take(account, [happening(1)]);
    await eventually(() => expect(got.some(({ message }) => message.type === "opt_out.added")).toBe(true));
    holds = false;
    const answered = await Promise.all(tests);
    expect(answered.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429, 429, 429, 429, 429]);
    expect(answered.find(({ status }) => status === 429)?.code).toBe("test_under_way");
  });

  it("sends nothing while the account is disabled, and sends the waiting events once it is open again", async () => {
    const { server, account } = await tenant();
    const admin = await operator();
    const got = receiver();
    const webhook = await createdWebhook(server);
    const eventsGot = () => got.filter(({ message }) => message.type === "opt_out.added").length;
    await take(account, [happening(1)]);
    await eventually(() => expect(eventsGot()).toBe(1));
    const setDisabled = (disabled: boolean) => admin.patch(`/api/admin/v1/accounts/${account}`, { disabled });
    expect((await setDisabled(true)).status).toBe(200);
    await take(account, [happening(2)]);
    const object = objectOf(account, webhook);
    await object.notify(await accountEvents(env, account).last());
    await runDurableObjectAlarm(object);
    expect(eventsGot()).toBe(1);
    expect((await setDisabled(false)).status).toBe(200);
    await eventually(() => expect(eventsGot()).toBe(2));
  });
});
