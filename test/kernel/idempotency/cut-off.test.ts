import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { OpenAPIHono } from "@hono/zod-openapi";
import { describe, expect, it, vi } from "vitest";
import type { AppEnv } from "../../../src/kernel/http/context.ts";
import { endpoint } from "../../../src/kernel/http/endpoint.ts";
import { idempotent, serve } from "../../../src/kernel/http/serve.ts";
import { type Campaign, contactsCsv, ready, started, until, upload } from "../../campaign/support.ts";
import { type Tenant, tenant } from "../../support/client.ts";
import { evict } from "../../support/evict.ts";
import { isReplay, postWithKey, storesOf } from "./support.ts";

type Listed = { campaigns: Campaign[]; total: number };

/**
 * Restores the state in which the service died after every request was carried out and before any response was stored.
 */
async function cutOff({ account }: Pick<Tenant, "account">): Promise<void> {
  for (const { object } of await storesOf(account))
    await runInDurableObject(object, (_, { storage }) => {
      storage.sql.exec("UPDATE reservations SET answered = 0, answer = NULL, held_until = 0");
    });
}

/** Creates an account with a draft campaign of three contacts that could be started. */
async function drafted() {
  const who = await tenant();
  const { agent_id, from_number } = await ready(who);
  const draft = await upload(who.server, contactsCsv(3), {
    agent_id,
    from_number,
    scheduled_at: "2099-01-01T00:00:00Z",
  });
  return { ...who, path: `/api/v1/campaigns/${draft.body.id}` };
}

describe("a retry of a request that was run before the service died", () => {
  it("clones a campaign once", async () => {
    const who = await drafted();
    const clone = () => postWithKey<Campaign>(who.server, `${who.path}/clone`, "k", { contacts: "all" });
    const first = await clone();
    await cutOff(who);
    const again = await clone();
    expect([first.status, again.status, isReplay(again)]).toEqual([201, 201, false]);
    expect(again.body).toEqual(first.body);
    expect((await who.server.get<Listed>("/api/v1/campaigns")).body.total).toBe(2);
  });

  it("creates a half-created clone again", async () => {
    const who = await drafted();
    const clone = () => postWithKey<Campaign>(who.server, `${who.path}/clone`, "k", { contacts: "all" });
    const first = await clone();
    await cutOff(who);
    const half = env.CAMPAIGN.getByName(`${who.account}/${first.body.id}`);
    await runInDurableObject(half, (_, { storage }) => {
      storage.sql.exec("UPDATE campaign SET importing = 1");
    });
    await evict(half);
    const again = await vi.waitFor(async () => {
      const answer = await clone();
      expect([answer.status, answer.code]).toEqual([201, null]);
      return answer;
    }, 20_000);
    expect(again.body).toMatchObject({ id: first.body.id, total_contacts: 3, counts: { pending: 3 } });
    expect((await who.server.get<Listed>("/api/v1/campaigns")).body.total).toBe(2);
  });

  it.each([
    [["start"], "running"],
    [["start", "pause"], "paused"],
    [["start", "pause", "resume"], "running"],
    [["stop"], "stopped"],
  ])("a retry after %s returns the campaign as it is", async (operations, status) => {
    const who = await drafted();
    const last = operations.at(-1);
    for (const operation of operations) {
      const done = await postWithKey<Campaign>(who.server, `${who.path}/${operation}`, operation);
      expect(done.status).toBe(200);
    }
    await cutOff(who);
    const again = await postWithKey<Campaign>(who.server, `${who.path}/${last}`, String(last));
    expect([again.status, again.body.status, isReplay(again)]).toEqual([200, status, false]);
  });

  it("returns how many contacts were redialed, and redials none again", async () => {
    const who = await tenant();
    // The outcomes of these contacts: busy, no answer, failed, answered.
    const csv = "phone_number\n+13032000001\n+13032000002\n+13032000003\n+13032000010\n";
    const path = await started({ ...who, ...(await ready(who)) }, csv);
    const campaign = async () => (await who.server.get<Campaign>(path)).body;
    const { counts } = await until(campaign, ({ status }) => status === "completed");
    const redial = () => postWithKey(who.server, `${path}/redial`, "k", { outcomes: ["busy", "no_answer", "failed"] });
    const first = await redial();
    expect([first.status, first.body]).toEqual([200, { contacts: counts.failed }]);
    await cutOff(who);
    const again = await redial();
    expect([again.status, again.body, isReplay(again)]).toEqual([200, first.body, false]);
    // Even after the campaign has continued, no contact is called again.
    await who.server.post(`${path}/resume`);
    await until(campaign, ({ status }) => status === "completed");
    await cutOff(who);
    expect((await redial()).body).toEqual(first.body);
    expect(await campaign()).toMatchObject({ status: "completed", counts: { pending: 0 } });
  });

  it("returns the canceled contact", async () => {
    const who = await drafted();
    const { contacts } = (await who.server.get<{ contacts: { id: string }[] }>(`${who.path}/contacts`)).body;
    const cancel = () => postWithKey(who.server, `${who.path}/contacts/${contacts[0]?.id}/cancel`, "k");
    const first = await cancel();
    await cutOff(who);
    const again = await cancel();
    expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
    expect((await who.server.get<Campaign>(who.path)).body.counts).toMatchObject({ pending: 2, cancelled: 1 });
  });

  it("does not pause a campaign that was resumed meanwhile", async () => {
    const who = await drafted();
    await who.server.post(`${who.path}/start`);
    const pause = () => postWithKey<Campaign>(who.server, `${who.path}/pause`, "k");
    expect((await pause()).body.status).toBe("paused");
    await who.server.post(`${who.path}/resume`);
    await cutOff(who);
    const again = await pause();
    expect([again.status, again.body.status]).toEqual([200, "running"]);
  });

  it("returns how many numbers were added to the do-not-call list", async () => {
    const who = await tenant();
    await who.server.post("/api/v1/do-not-call", { numbers: ["+13035550101"] });
    const numbers = ["+13035550101", "+13035550102", "+13035550103"];
    const add = () => postWithKey(who.server, "/api/v1/do-not-call", "k", { numbers });
    const first = await add();
    expect([first.status, first.body]).toEqual([201, { added: 2 }]);
    await cutOff(who);
    expect((await add()).body).toEqual({ added: 2 });
  });

  it("returns the agent and its attachments", async () => {
    const { server, account } = await tenant();
    const agent = (await server.post<{ id: string }>("/api/v1/agents", { name: "a" })).body;
    await server.post("/api/v1/faqs", { name: "hours", title: "t" });
    const attach = () => postWithKey(server, `/api/v1/agents/${agent.id}/faqs`, "k", { faq_id: "hours" });
    const first = await attach();
    await cutOff({ account });
    const again = await attach();
    expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
  });

  it("does not run a tool that may have run already", async () => {
    const who = await tenant();
    const url = "https://shop.example/orders";
    const implementation_config = { method: "GET", url };
    const tool = {
      name: "look_up",
      category: "shop",
      description: "Finds an order.",
      implementation_type: "http",
      implementation_config,
    };
    const created = await who.server.post<{ id: string }>("/api/v1/tools", tool);
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    const run = (dry_run: boolean) =>
      postWithKey(who.server, `/api/v1/tools/${created.body.id}/run`, `k-${dry_run}`, { dry_run });
    const fetched = vi.spyOn(globalThis, "fetch").mockResolvedValue(Response.json({}));
    expect((await run(false)).status).toBe(200);
    expect((await run(true)).status).toBe(200);
    expect(fetched).toHaveBeenCalledTimes(1);
    await cutOff(who);
    const again = await run(false);
    expect([again.status, again.code]).toEqual([409, "idempotency_outcome_unknown"]);
    expect((await run(true)).status).toBe(200);
    expect(fetched).toHaveBeenCalledTimes(1);
    fetched.mockRestore();
  });
});

it("a POST with an idempotency key does not compile without stating what a retry does", () => {
  const contract = {
    tag: "t",
    operationId: "x",
    summary: "s",
    description: "d",
    status: 204,
    path: "/x",
    scope: [],
  } as const;
  const app = new OpenAPIHono<AppEnv>();
  const keyed = endpoint(Object.assign({ method: "post" as const, access: "account" as const }, contract));
  const open = endpoint(Object.assign({ method: "post" as const, access: "public" as const }, contract));
  const read = endpoint(Object.assign({ method: "patch" as const, access: "account" as const }, contract));
  const mounted = () => {
    // @ts-expect-error it has to say what a retry does
    serve(app, keyed, () => undefined);
    serve(app, keyed, () => undefined, idempotent("it does nothing"));
    serve(app, open, () => undefined);
    serve(app, read, () => undefined);
    // @ts-expect-error no client could retry it with a key
    serve(app, open, () => undefined, idempotent("it does nothing"));
  };
  expect(mounted).toBeTypeOf("function");
});
