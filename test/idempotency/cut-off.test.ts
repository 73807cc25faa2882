import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { type Campaign, contactsCsv, ready, upload } from "../campaigns/support.ts";
import { type Tenant, tenant } from "../support/client.ts";
import { isReplay, postWithKey, storesOf } from "./support.ts";

type Listed = { campaigns: Campaign[]; total: number };

/** As if the service had died with every request carried out and no answer kept. */
async function cutOff({ account }: Tenant): Promise<void> {
  for (const { object } of await storesOf(account))
    await runInDurableObject(object, (_, { storage }) => {
      storage.sql.exec("UPDATE reservations SET answered = 0, answer = NULL, held_until = 0");
    });
}

/** An account with a draft of three contacts that could be started. */
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

describe("a retry of what was carried out before the service died", () => {
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

  it("makes a clone anew that had been made by half", async () => {
    const who = await drafted();
    const clone = () => postWithKey<Campaign>(who.server, `${who.path}/clone`, "k", { contacts: "all" });
    const first = await clone();
    await cutOff(who);
    const half = env.CAMPAIGN.getByName(`${who.account}/${first.body.id}`);
    await runInDurableObject(half, (_, { storage }) => {
      storage.sql.exec("UPDATE campaign SET importing = 1");
    });
    await evictDurableObject(half);
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
  ])("is answered after %s with the campaign as it is", async (operations, status) => {
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

  it("does not run a tool, which may have run", async () => {
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
    const made = await who.server.post<{ id: string }>("/api/v1/tools", tool);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const run = (dry_run: boolean) =>
      postWithKey(who.server, `/api/v1/tools/${made.body.id}/run`, `k-${dry_run}`, { dry_run });
    const asked = vi.spyOn(globalThis, "fetch").mockResolvedValue(Response.json({}));
    expect((await run(false)).status).toBe(200);
    expect((await run(true)).status).toBe(200);
    expect(asked).toHaveBeenCalledTimes(1);
    await cutOff(who);
    const again = await run(false);
    expect([again.status, again.code]).toEqual([409, "idempotency_outcome_unknown"]);
    expect((await run(true)).status).toBe(200);
    expect(asked).toHaveBeenCalledTimes(1);
    asked.mockRestore();
  });
});
