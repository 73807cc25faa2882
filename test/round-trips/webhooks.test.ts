import { afterEach, expect, it, vi } from "vitest";
import { createdWebhook, pathOf, receiver } from "../records/webhooks/support.ts";
import { tenant } from "../support/client.ts";
import { countRoundTrips } from "../support/counting.ts";

afterEach(() => vi.unstubAllGlobals());

it("a webhook is read with one D1 batch and one hop each to the gate, the events and the webhook", async () => {
  const { server } = await tenant();
  receiver();
  const webhook = await createdWebhook(server);
  await createdWebhook(server);
  expect(await countRoundTrips(pathOf(webhook), server.headers)).toMatchObject({ status: 200, d1: 1, objects: 3 });
  expect(await countRoundTrips("/api/v1/webhooks", server.headers)).toMatchObject({ status: 200, d1: 1, objects: 4 });
  const deliveries = `${pathOf(webhook)}/deliveries`;
  expect(await countRoundTrips(deliveries, server.headers)).toMatchObject({ status: 200, d1: 1, objects: 2 });
});
