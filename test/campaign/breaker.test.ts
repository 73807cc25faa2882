import { describe, expect, it } from "vitest";
import {
  type CallLine,
  type DispatchDependencies,
  LineUnavailable,
} from "../../src/campaign/dial/dispatch-dependencies.ts";
import { Dispatcher } from "../../src/campaign/dial/dispatcher.ts";
import type { CampaignStore } from "../../src/campaign/store/campaign-store.ts";
import { operate } from "../../src/campaign/store/campaign-transitions.ts";
import type { ContactRow } from "../../src/campaign/store/contacts.ts";
import { type CarrierReason, CarrierRefusal, CarrierUncertain } from "../../src/phone/carriers/carrier.ts";
import { caller, setCaps } from "../phone/calls/support.ts";
import { type Campaign, contactOf, contactsCsv, FROM, started, until } from "./support.ts";
import { CALM, draft, inObject, type Scenario, World } from "./world/virtual-world.ts";

const author = { actor: "test", request_id: "test" };
const HOUR = 3_600_000;

/** A campaign on a virtual clock whose carrier or line fails when the test says so. */
class Rig {
  readonly world: World;
  readonly store: CampaignStore;
  /** When the carrier was asked to place each call. */
  readonly tried: number[] = [];
  /** The results of the next calls: an error, or null for an accepted call; the last one repeats. */
  answers: (Error | null)[] = [null];
  noLine: Error | null = null;
  readonly #dispatcher: Dispatcher;

  constructor(scenario: Partial<Scenario>, storage: DurableObjectStorage) {
    this.world = new World({ ...CALM, ...scenario });
    this.store = draft({ ...CALM, ...scenario }, this.world, storage);
    const dependencies = this.world.live(this.store);
    this.#dispatcher = new Dispatcher(this.store, {
      ...dependencies,
      line: async () => {
        if (this.noLine) throw this.noLine;
        return dependencies.line();
      },
      place: (line, callId, contact) => this.#place(dependencies, line, callId, contact),
    });
    operate(this.store, "start", author, this.world.now);
  }

  async #place(
    dependencies: DispatchDependencies,
    line: CallLine,
    callId: string,
    contact: ContactRow,
  ): Promise<{ provider_call_id: string }> {
    this.tried.push(this.world.now);
    const answer = (this.answers.length > 1 ? this.answers.shift() : this.answers[0]) ?? null;
    await Promise.resolve();
    if (answer) throw answer;
    return dependencies.place(line, callId, contact);
  }

  /** Lets time pass until the campaign no longer runs and its calls are over, up to a limit. */
  async play(limit = HOUR): Promise<void> {
    const end = this.world.now + limit;
    while (this.world.now < end) {
      this.world.tick();
      const { worked, wakeAt } = await this.#dispatcher.round();
      if (worked) continue;
      if (this.store.campaign.existing.status !== "running" && this.store.attempts.openCount() === 0) return;
      const next = Math.min(wakeAt ?? end, this.world.carrier.nextReportAt(), end);
      this.world.now = Math.max(this.world.now + 1, next);
    }
  }

  resume(): void {
    this.answers = [null];
    this.noLine = null;
    operate(this.store, "resume", author, this.world.now);
  }

  contacts() {
    return this.store.listing.page({ limit: 1_000, offset: 0 });
  }

  /** Checks that no contact has lost an attempt and that all are still to be called. */
  expectNoAttemptSpent(): void {
    for (const contact of this.contacts()) {
      expect(contact).toMatchObject({ status: "pending", attempts: 0, outcome: null });
      expect(contact.next_attempt_at).not.toBeNull();
    }
    expect(this.store.campaign.counts.pending).toBe(this.contacts().length);
    expect(this.store.attempts.open()).toEqual([]);
    expect([...this.world.leases]).toEqual([]);
  }
}

const refusal = (reason: CarrierReason) => new CarrierRefusal(reason, "no");
const inRig = (scenario: Partial<Scenario>, work: (rig: Rig) => Promise<void>) =>
  inObject((storage) => work(new Rig(scenario, storage)));
const oneAtATime = { rules: { ...CALM.rules, max_concurrency: 1 } };

describe("the circuit breaker", () => {
  it.each<CarrierReason>(["auth", "funds", "caller_id"])(
    "the circuit breaker pauses a campaign at the carrier's first answer %s, uses up no attempts, and lets it be resumed",
    async (reason) => {
      await inRig({ contacts: 100 }, async (rig) => {
        rig.answers = [refusal(reason)];
        await rig.play();
        expect(rig.store.campaign.existing).toMatchObject({ status: "paused", status_reason: `carrier_${reason}` });
        // Includes calls that were in flight at the same time.
        expect(rig.tried.length).toBeLessThanOrEqual(6);
        rig.expectNoAttemptSpent();
        rig.resume();
        expect(rig.store.campaign.existing).toMatchObject({ status: "running", status_reason: null, failures: 0 });
        await rig.play();
        expect(rig.store.campaign.existing).toMatchObject({ status: "completed", completed: 100 });
        expect(rig.contacts().every(({ attempts }) => attempts === 1)).toBe(true);
      });
    },
  );

  it("retries a carrier with an outage by itself, with one call, finally every ten minutes", async () => {
    await inRig({ contacts: 100 }, async (rig) => {
      rig.answers = [refusal("outage")];
      await rig.play();
      expect(rig.store.campaign.existing).toMatchObject({ status: "running", status_reason: "carrier_outage" });
      const probes = rig.tried.filter((at) => at > (rig.tried[0] ?? 0));
      const waits = probes.map((at, i) => Math.round((at - (probes[i - 1] ?? rig.tried[0] ?? 0)) / 1_000));
      expect(waits.slice(0, 10)).toEqual([1, 2, 4, 8, 30, 60, 120, 300, 600, 600]);
      rig.expectNoAttemptSpent();
      rig.answers = [null];
      await rig.play();
      expect(rig.store.campaign.existing).toMatchObject({ status: "completed", status_reason: null, completed: 100 });
      expect(rig.contacts().every(({ attempts }) => attempts === 1)).toBe(true);
    });
  });

  it("counts a burst of six outages once, and continues a second later", async () => {
    await inRig({ contacts: 30, concurrency: 6 }, async (rig) => {
      rig.answers = [...Array.from({ length: 6 }, () => refusal("outage")), null];
      await rig.play();
      const second = rig.tried.find((at) => at > CALM.startsAt) ?? 0;
      expect(second - CALM.startsAt).toBeLessThanOrEqual(2_000);
      expect(rig.store.campaign.existing).toMatchObject({ status: "completed", completed: 30 });
    });
  });

  it("waits up to half a minute for a carrier that rate-limits, without pausing", async () => {
    await inRig(oneAtATime, async (rig) => {
      const twenty = Array.from({ length: 20 }, () => refusal("rate"));
      rig.answers = [...twenty, null];
      await rig.play();
      const pauses = rig.tried.map((at, i) => at - (rig.tried[i - 1] ?? at));
      expect(pauses.slice(0, 8)).toEqual([0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
      expect(rig.store.campaign.existing).toMatchObject({ status: "completed", completed: CALM.contacts });
      expect(rig.contacts().every(({ attempts }) => attempts === 1)).toBe(true);
    });
  });

  it("does not count a refusal of one contact's number against the carrier", async () => {
    await inRig({}, async (rig) => {
      rig.answers = [refusal("bad_number"), refusal("rejected")];
      await rig.play();
      expect(rig.store.campaign.existing).toMatchObject({ status: "completed", failed: CALM.contacts });
    });
  });

  it("tries one contact at a time if the carrier never answers, and never places those calls again", async () => {
    await inRig(oneAtATime, async (rig) => {
      rig.answers = [...Array.from({ length: 6 }, () => new CarrierUncertain("time-out")), null];
      await rig.play();
      expect(rig.tried).toHaveLength(CALM.contacts);
      expect(rig.store.campaign.existing).toMatchObject({ status: "completed", status_reason: null });
      const outcomes = rig.contacts().map(({ outcome }) => outcome);
      expect(outcomes.filter((outcome) => outcome === "unknown")).toHaveLength(6);
    });
  });

  it("pauses at once if the number or its credentials cannot be used", async () => {
    await inRig({}, async (rig) => {
      rig.noLine = new LineUnavailable("from_number_missing");
      await rig.play();
      expect(rig.store.campaign.existing).toMatchObject({ status: "paused", status_reason: "from_number_missing" });
      expect(rig.tried).toEqual([]);
      await rig.play();
      rig.expectNoAttemptSpent();
      rig.resume();
      await rig.play();
      expect(rig.store.campaign.existing).toMatchObject({ status: "completed", completed: CALM.contacts });
    });
  });

  it.each(["agent_archived", "agent_missing", "from_number_outbound_disabled"])(
    "the circuit breaker pauses before the next call if the line is lost meanwhile: %s",
    async (reason) => {
      await inRig({}, async (rig) => {
        rig.world.lineLost = new LineUnavailable(reason);
        await rig.play();
        expect(rig.store.campaign.existing).toMatchObject({ status: "paused", status_reason: reason });
        expect(rig.tried).toEqual([]);
        await rig.play();
        rig.expectNoAttemptSpent();
        rig.world.lineLost = null;
        rig.resume();
        await rig.play();
        expect(rig.store.campaign.existing).toMatchObject({ status: "completed", completed: CALM.contacts });
      });
    },
  );

  it("counts the refusals of one batch once", async () => {
    await inRig({ contacts: 30, concurrency: 6 }, async (rig) => {
      rig.answers = [...Array.from({ length: 6 }, () => refusal("rate")), null];
      await rig.play();
      const second = rig.tried.find((at) => at > CALM.startsAt) ?? 0;
      expect(second - CALM.startsAt).toBeLessThanOrEqual(2_000);
      expect(rig.store.campaign.existing).toMatchObject({ status: "completed", completed: 30 });
    });
  });

  it("returns the slots if the line lookup fails, and retries", async () => {
    await inRig({ contacts: 5, concurrency: 5 }, async (rig) => {
      rig.noLine = new Error("D1 is away");
      await expect(rig.play()).rejects.toThrow("D1 is away");
      rig.noLine = null;
      await rig.play();
      expect(rig.store.campaign.existing).toMatchObject({ status: "completed", completed: 5 });
      expect(rig.world.now).toBeLessThan(CALM.startsAt + 120_000);
    });
  });
});

describe("a campaign whose number is removed", () => {
  it("pauses with the reason, uses up no attempts, and continues once the number is back", async () => {
    const who = await caller();
    type Numbers = { numbers: { id: string; e164: string }[] };
    const { numbers } = (await who.server.get<Numbers>("/api/v1/telephony/numbers")).body;
    const number = `/api/v1/telephony/numbers/${numbers.find(({ e164 }) => e164 === FROM)?.id}`;
    await setCaps(who.account, { calls_per_day: 0 });
    const path = await started(who, contactsCsv(3));
    await until(
      () => contactOf(who.server, path),
      ({ waiting_for }) => waiting_for === "the account's calls_per_day cap is reached",
    );
    expect((await who.server.delete(number)).status).toBe(204);
    await setCaps(who.account, { calls_per_day: 100 });
    const paused = await until(
      () => who.server.get<Campaign>(path),
      ({ body }) => body.status === "paused",
    );
    expect(paused.body).toMatchObject({ status_reason: "from_number_missing", counts: { pending: 3 } });
    expect(await contactOf(who.server, path)).toMatchObject({
      attempt_count: 0,
      attempts: [],
      waiting_for: "the campaign is paused: from_number_missing",
    });
    expect((await who.server.post(`${path}/resume`)).status).toBe(409);
    await who.server.post("/api/v1/telephony/numbers", { e164: FROM, provider: "sandbox" });
    expect((await who.server.post<Campaign>(`${path}/resume`)).body).toMatchObject({
      status: "running",
      status_reason: null,
    });
    const done = await until(
      () => who.server.get<Campaign>(path),
      ({ body }) => body.status === "completed",
    );
    expect(done.body.counts.completed).toBe(3);
  });
});
