import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { accountEvents, accountGate } from "../../../src/kernel/durable/objects.ts";
import { eventsOf } from "../../support/broken-objects.ts";
import { type Answer, type Tenant, tenant } from "../../support/client.ts";
import { mortal } from "../../support/mortal.ts";

afterEach(() => vi.restoreAllMocks());

/** More lives than a gate needs that dies at each of its calls. */
const MOST_LIVES = 20;
const HOOK = { url: "https://shop.example/hook", types: ["*"] };

/** Sends a request until it is carried out by a gate that dies at each of its calls and whose alarms are lost. */
async function carriedOut({ account }: Tenant, request: () => Promise<Answer>): Promise<void> {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const gate = accountGate(env, account) as unknown as DurableObjectStub;
  const process = await mortal(gate, { methods: ["alarm", "configure"] });
  let { status } = await request();
  expect(await process.hasDied()).toBe(true);
  for (let life = 1; (await process.hasDied()) && life < MOST_LIVES; life++) {
    await process.restart();
    await runDurableObjectAlarm(gate);
    if (!(await process.hasDied()) && status >= 500) ({ status } = await request());
  }
  expect(await process.hasDied()).toBe(false);
}

it("an event is recorded once even if the gate's process dies at each call and its alarm is lost", async () => {
  const who = await tenant();
  const agent = await who.user.post<{ id: string }>("/api/v1/agents", { name: "Reception" });
  await carriedOut(who, () => who.user.post(`/api/v1/agents/${agent.body.id}/publish`));
  expect((await eventsOf(who.account)).map(({ type }) => type)).toEqual(["agent.published"]);
});

it("a webhook's deletion reaches the account's events even if the gate's process dies at each call and its alarm is lost", async () => {
  const who = await tenant();
  const webhook = await who.user.post<{ id: string }>("/api/v1/webhooks", HOOK);
  await carriedOut(who, () => who.user.delete(`/api/v1/webhooks/${webhook.body.id}`));
  const events = accountEvents(env, who.account) as unknown as DurableObjectStub;
  const followers = await runInDurableObject(events, (_, { storage }) =>
    storage.sql.exec("SELECT webhook FROM followers").toArray(),
  );
  expect(followers).toEqual([]);
});
