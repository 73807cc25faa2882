import { afterEach, describe, expect, it, vi } from "vitest";
import { createdWebhook, delivered, deliveries, receiver } from "../../records/webhooks/support.ts";
import { tenant } from "../../support/client.ts";
import { erased, newNumber, readable, standsIn } from "./support.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

const LIST = "/api/v1/do-not-call";

/**
 * Adds a number to the do-not-call list with a reason that names a person. A webhook delivers the event, and its
 * receiver echoes the body.
 */
async function optedOut() {
  const who = await tenant();
  const name = `Adalovelace${crypto.randomUUID().slice(0, 8)}`;
  const got = receiver(({ body }) => new Response(body));
  const webhook = await createdWebhook(who.server, { content: true });
  const number = newNumber();
  const body = JSON.stringify({ numbers: [number], reason: `${name} is in hospital` });
  const list = () =>
    who.server.send("POST", LIST, body, { "idempotency-key": "once", "content-type": "application/json" });
  expect((await list()).body).toEqual({ added: 1 });
  await delivered(who.server, webhook, { status: "delivered" });
  return { who, name, got, webhook, number, list };
}

describe("the reason of an opt-out", () => {
  it("the reason of an opt-out is delivered and listed before the person is erased", async () => {
    const { who, name, got } = await optedOut();
    expect(got.map(({ body }) => body).join()).toContain(name);
    expect(await readable(who, "none", name)).toContain(`${LIST} as application/json`);
    expect(await standsIn(name)).not.toEqual([]);
  });

  it("the reason of an opt-out is in no response and no store once the person is erased", async () => {
    const { who, name, webhook, number, list } = await optedOut();
    await erased(who, { phone_number: number });
    expect(await readable(who, "none", name)).toEqual([]);
    expect(JSON.stringify(await deliveries(who.server, webhook))).not.toContain(name);
    expect(await standsIn(name)).toEqual([]);
    expect(JSON.stringify(await list())).not.toContain(name);
  });

  it("the reason of an opt-out is in no later delivery of the erased event", async () => {
    const { who, name, got, webhook, number } = await optedOut();
    await erased(who, { phone_number: number });
    const before = got.length;
    for (const { id, type } of await deliveries(who.server, webhook)) {
      if (type !== "opt_out.added") continue;
      const { status } = await who.server.post(`/api/v1/webhooks/${webhook.id}/deliveries/${id}/resend`, {});
      expect([200, 202]).toContain(status);
    }
    await vi.waitFor(() => expect(got.length).toBeGreaterThan(before));
    expect(
      got
        .slice(before)
        .map(({ body }) => body)
        .join(),
    ).not.toContain(name);
  });
});
