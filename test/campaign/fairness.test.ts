import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CALLED_FOR_MS } from "../../src/account/meter/turn-queue.ts";
import { type Calls, caller, setCaps, slowly } from "../phone/calls/support.ts";
import { type Campaign, contactsCsv, started, until } from "./support.ts";
import { type Member, VirtualAccount } from "./world/virtual-account.ts";
import { inObject } from "./world/virtual-world.ts";

const HOUR = 3_600_000;
/** The meter checks its queue at least once a second while it has room. */
const LOOKS_EVERY = 1_000;
const caps = (slots: number) => ({ concurrent_calls: slots, calls_per_minute: 1e6, calls_per_day: 1e6 });

const member: fc.Arbitrary<Member> = fc.record({
  contacts: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 12 }), fc.constant(60)),
  maxConcurrency: fc.option(fc.integer({ min: 1, max: 8 })),
  lasts: fc.array(fc.integer({ min: 500, max: 30_000 }), { minLength: 1, maxLength: 6 }),
  goneAfter: fc.constant(null),
});
const members = fc.array(member, { minLength: 2, maxLength: 6 });
const slots = fc.integer({ min: 1, max: 8 });

describe("campaigns of one account", () => {
  it("each get a slot before another campaign gets more than its share", async () => {
    await fc.assert(
      fc.asyncProperty(members, slots, (all, n) =>
        inObject((storage) => {
          const account = new VirtualAccount(storage, caps(n), all);
          account.play(48 * HOUR);
          for (const { id, over, most } of account.campaigns) {
            expect(over, `${id} is over`).toBe(true);
            expect(most.passed, `slots given to others while ${id} waited`).toBeLessThan(all.length + n);
            expect(most.beside, `ms for which ${id} waited beside a free slot`).toBeLessThan(LOOKS_EVERY);
          }
        }),
      ),
      { numRuns: 60 },
    );
  });

  it("do not wait for a campaign that is deleted or paused when its turn comes", async () => {
    let waited = 0;
    const fickle = member.chain((one) =>
      fc.option(fc.integer({ min: 1, max: 4 })).map((goneAfter) => ({ ...one, goneAfter })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fickle, { minLength: 2, maxLength: 6 }), slots, (all, n) =>
        inObject((storage) => {
          const account = new VirtualAccount(storage, caps(n), all);
          account.play(48 * HOUR);
          const gone = account.campaigns.filter((campaign) => campaign.gone).length;
          for (const { id, over, most } of account.campaigns) {
            expect(over, `${id} is over`).toBe(true);
            expect(most.beside, id).toBeLessThan((gone + 1) * (CALLED_FOR_MS + LOOKS_EVERY));
            if (most.beside >= LOOKS_EVERY) waited++;
          }
        }),
      ),
      { numRuns: 100 },
    );
    expect(waited).toBeGreaterThan(0);
  });

  it("campaigns of very different sizes all complete on a starter account", async () => {
    const who = await caller({ plan: "starter" });
    const sizes = [14, 9, 1];
    const paths: string[] = [];
    // The campaigns are created one after another, because a starter account can upload only two lists at a time.
    for (const n of sizes) paths.push(await started(who, contactsCsv(n)));
    const done = await Promise.all(
      paths.map((path) =>
        until(
          () => who.server.get<Campaign>(path),
          ({ body }) => body.status === "completed",
        ),
      ),
    );
    expect(done.map(({ body }) => body.counts.completed)).toEqual(sizes);
  });

  it("take turns for every slot that becomes free, however large one of them is", async () => {
    const who = await caller();
    await setCaps(who.account, { concurrent_calls: 2 });
    await slowly(who, { SANDBOX_RING_MS: "5" });
    const calls = async (more = "") => (await who.server.get<Calls>(`/api/v1/calls?limit=100${more}`)).body;
    // Every call stays connected until it is hung up.
    const big = await started(who, contactsCsv(200));
    await until(
      () => calls("&status=in-progress"),
      ({ total }) => total === 2,
    );
    const small = [await started(who, contactsCsv(1)), await started(who, contactsCsv(1))];
    const { contacts } = (await who.server.get<{ contacts: { id: string }[] }>(`${small[1]}/contacts`)).body;
    const first = `${small[1]}/contacts/${contacts[0]?.id}`;
    await until(
      () => who.server.get<{ waiting_for: string }>(first),
      ({ body }) => body.waiting_for === "the account's concurrent_calls cap is reached",
    );
    // All three have requested a slot, so each has its place in the queue.
    await until(
      () =>
        runInDurableObject(env.ACCOUNT_METER.getByName(who.account), (_, { storage }) =>
          storage.sql.exec("SELECT campaign FROM turns").toArray(),
        ),
      (turns) => turns.length === 3,
    );
    const hungUp = new Set<string>();
    for (let freed = 1; freed <= 3; freed++) {
      const { calls: running } = await until(
        () => calls("&status=in-progress"),
        (page) => page.total === 2 && page.calls.every(({ call_id }) => !hungUp.has(call_id)),
      );
      const { call_id } = running[0] ?? { call_id: "" };
      hungUp.add(call_id);
      expect((await who.server.post(`/api/v1/calls/${call_id}/hangup`)).status).toBe(200);
      await until(
        () => calls(),
        ({ total }) => total === 2 + freed,
      );
    }
    for (const path of small) {
      expect((await who.server.get<Campaign>(path)).body.counts.pending, "of three slots one was its own").toBe(0);
    }
    expect((await who.server.get<Campaign>(big)).body.counts.pending).toBeGreaterThan(190);
  });

  it("continue at once when an operator raises the cap they are waiting for", async () => {
    const who = await caller();
    await setCaps(who.account, { calls_per_minute: 0 });
    const path = await started(who, contactsCsv(2));
    const campaign = env.CAMPAIGN.getByName(`${who.account}/${path.split("/").at(-1)}`);
    // It has requested a slot, was refused, and waits for most of a minute.
    await until(
      () => runInDurableObject(campaign, (_, state) => state.storage.getAlarm()),
      (alarm) => (alarm ?? 0) > Date.now() + 30_000,
    );
    await setCaps(who.account, { calls_per_minute: 10 });
    const { body } = await until(
      () => who.server.get<Campaign>(path),
      (answer) => answer.body.status === "completed",
    );
    expect(body.counts.completed).toBe(2);
  });
});
