import { afterEach, describe, expect, it, vi } from "vitest";

import { tenant } from "../../support/client.ts";
import { happening, list, take } from "../events/support.ts";
import { delivered, made, read, receiver, verified } from "./support.ts";

afterEach(() => vi.unstubAllGlobals());

describe("a webhook", () => {
  it("is told what happens, signed, in the words of the event", async () => {
    const { account, server } = await tenant();
    const got = receiver();
    const webhook = await made(server);
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
});
