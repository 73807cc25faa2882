import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { v7 as uuidv7 } from "uuid";
import { describe, expect, it } from "vitest";
import { Projection } from "../../src/campaign/projection/projection.ts";
import { withDefaults } from "../../src/campaign/settings.ts";
import { beginCall, callPlaced, carrierFailed, takeCallEvent } from "../../src/campaign/store/call-transitions.ts";
import { CampaignStore } from "../../src/campaign/store/campaign-store.ts";
import { changeSettings, operate } from "../../src/campaign/store/campaign-transitions.ts";
import { addBatch, beginImport, finishImport, settleImport } from "../../src/campaign/store/import-transitions.ts";
import { campaignView } from "../../src/campaign/view.ts";
import { AccountStore } from "../../src/kernel/db/account-store.ts";
import { accountDatabase } from "../../src/kernel/durable/account-stores.ts";
import { MINUTE_MS } from "../../src/kernel/time.ts";
import type { CallEvent } from "../../src/phone/carriers/carrier.ts";
import { isTerminal } from "../../src/records/ledger/call-status.ts";
import { endNotes, endReason } from "../../src/records/ledger/end-reason.ts";
import { tenant } from "../support/client.ts";

/** What becomes of a batch: it is done; it fails; it is done and the answer is lost; it is done only much later. */
type LineState = "done" | "fails" | "answer_lost" | "slow";
const LIMITS = { ring: 30_000, duration: 120_000 };
const PERSON = { actor: "console:ada", request_id: "r" };

/** D1 over a line that is sometimes bad. */
class BadLine {
  state: LineState = "done";
  batches = 0;
  readonly revisions: number[] = [];
  #held: (() => void)[] = [];

  readonly #campaign: string;

  constructor(campaign: string) {
    this.#campaign = campaign;
  }

  readonly prepare = (sql: string) => env.DB.prepare(sql);

  async batch<T>(statements: D1PreparedStatement[]): Promise<D1Result<T>[]> {
    const { state } = this;
    this.batches++;
    if (state === "fails") throw new Error("the line is dead");
    if (state === "slow") await new Promise<void>((go) => this.#held.push(go));
    const results = await env.DB.batch<T>(statements);
    this.revisions.push((await this.row())?.revision ?? 0);
    if (state === "answer_lost") throw new Error("the line went dead");
    return results;
  }

  /** Lets what was held up go on, the latest first. */
  release(): void {
    for (const go of this.#held.splice(0).reverse()) go();
  }

  row = () =>
    env.DB.prepare("SELECT revision, status, record FROM campaigns WHERE id = ?")
      .bind(this.#campaign)
      .first<{ revision: number; status: string; record: string }>();
}

/** A campaign of 12 contacts that runs, on a clock of its own, whose projection reaches D1 over a bad line. */
class Scene {
  now = 1_700_000_000_000;
  readonly id = uuidv7();
  readonly line = new BadLine(this.id);
  readonly store: CampaignStore;
  readonly projection: Projection;
  readonly done: string[] = ["create", "start"];
  #calls: string[] = [];

  constructor(account: string, storage: DurableObjectStorage) {
    const settings = withDefaults({ from_number: "+12025550100" }, "Test");
    this.store = new CampaignStore(storage, () => {}, MINUTE_MS);
    const campaign = { id: this.id, account, settings: JSON.stringify(settings) };
    beginImport(this.store, { ...campaign, created_by: "t", created_at: this.now }, PERSON);
    const contacts = Array.from({ length: 12 }, (_, i) => ({
      line: i + 2,
      phone_number: `+1202${5_550_000 + i}`,
      timezone: null,
      variables: [],
    }));
    addBatch(this.store, { contacts, rejects: [] }, this.now);
    Array.from(settleImport(this.store, () => this.now));
    finishImport(this.store, settings, [], this.now);
    operate(this.store, "start", PERSON, this.now);
    this.projection = new Projection(
      this.store,
      new AccountStore(accountDatabase(env, account, this.line), account, PERSON),
    );
  }

  dial(n: number): void {
    const zones = this.store.contacts.queues(n, this.now).map(({ zone }) => zone);
    for (const contact of this.store.contacts.due(zones, n, this.now)) {
      const id = uuidv7();
      const line = {
        provider: "sandbox",
        from_number: "+12025550100",
        credentials_id: null,
        agent_id: null,
        recorded: 1,
      };
      beginCall(this.store, contact, id, line, LIMITS, this.now);
      this.#calls.push(id);
    }
  }

  placed(which: number): void {
    const id = this.#calls[which % this.#calls.length];
    if (id) callPlaced(this.store, id, `provider-${id}`, this.now);
  }

  report(which: number, status: CallEvent["status"]): void {
    const id = this.#calls[which % this.#calls.length];
    const event = {
      status,
      provider_call_id: null,
      answered_by: null,
      reason: isTerminal(status) ? "its_word" : "",
      recording: null,
    };
    if (id) takeCallEvent(this.store, id, event, LIMITS, this.now);
  }

  operate(operation: "pause" | "resume"): void {
    if (operate(this.store, operation, PERSON, this.now)) this.done.push(operation);
  }

  rename(): void {
    changeSettings(this.store, { name: `${this.now}` }, PERSON, this.now);
    this.done.push("update");
  }

  /** D1 has what the campaign has: all of it, each once. */
  async check(): Promise<void> {
    const { revision, status } = this.store.campaign.existing;
    const row = await this.line.row();
    expect(row).toMatchObject({ revision, status });
    expect(JSON.parse(row?.record ?? "")).toEqual(campaignView(this.store.campaign.existing));
    expect(this.line.revisions).toEqual(this.line.revisions.toSorted((a, b) => a - b));
    const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
    const told = await env.DB.prepare(
      "SELECT id, status, provider_call_id, connected_at, ended_at, end_reason, metadata FROM calls WHERE campaign_id = ? ORDER BY id",
    )
      .bind(this.id)
      .all();
    expect(told.results).toEqual(
      this.#calls.map((id) => {
        const attempt = this.store.attempts.get(id);
        if (!attempt) throw new Error("the campaign lost a call");
        const { status, provider_call_id, connected_at, ended_at, outcome, reason } = attempt;
        const end = { status, reason, answered_by: null, own: outcome };
        return {
          id,
          status,
          provider_call_id,
          connected_at: time(connected_at),
          ended_at: time(ended_at),
          end_reason: ended_at === null ? null : endReason(end),
          metadata: JSON.stringify(ended_at === null ? {} : endNotes(end)),
        };
      }),
    );
    const audits = await env.DB.prepare("SELECT action FROM audit_log WHERE resource_id = ? ORDER BY id")
      .bind(this.id)
      .all<{ action: string }>();
    expect(audits.results.map(({ action }) => action)).toEqual(this.done);
    expect(this.store.audits.pending()).toEqual([]);
  }
}

const onStage = <T>(account: string, play: (scene: Scene) => Promise<T>) =>
  runInDurableObject(env.CAMPAIGN.getByName(`test/${crypto.randomUUID()}`), (_, { storage }) =>
    play(new Scene(account, storage)),
  );

/** Time for a batch to be on its way. */
const soon = () => new Promise((go) => setTimeout(go, 1));

const step = fc.oneof(
  fc.record({ dial: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ placed: fc.nat(11) }),
  fc.record({
    call: fc.nat(11),
    status: fc.constantFrom<CallEvent["status"][]>("ringing", "in-progress", "completed", "busy"),
  }),
  fc.record({ operation: fc.constantFrom("pause", "resume", "rename") }),
  fc.record({ state: fc.constantFrom<LineState[]>("done", "fails", "answer_lost", "slow") }),
  fc.record({ state: fc.constantFrom<LineState[]>("done", "fails", "answer_lost", "slow") }),
  fc.constant({ release: true }),
);

describe("the projection over an unreliable connection", () => {
  it("eventually has the campaign, every call and each audit entry once, and never goes back", async () => {
    const { account } = await tenant();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), (steps) =>
        onStage(account, async (scene) => {
          const { line, projection } = scene;
          const pushes: Promise<unknown>[] = [];
          for (const now of steps) {
            scene.now += 10;
            if ("dial" in now) scene.dial(now.dial);
            else if ("placed" in now) scene.placed(now.placed);
            else if ("status" in now) scene.report(now.call, now.status);
            else if ("operation" in now) {
              if (now.operation === "rename") scene.rename();
              else scene.operate(now.operation === "pause" ? "pause" : "resume");
            } else if ("release" in now) line.release();
            else {
              line.state = now.state;
              pushes.push(projection.pushNow(scene.now).catch(() => {}));
              await soon();
            }
          }
          line.state = "done";
          let open = pushes.length;
          for (const push of pushes) void push.then(() => open--);
          while (open > 0) {
            line.release();
            await soon();
          }
          for (let i = 0; projection.behind && i < 10; i++) await projection.pushNow(scene.now);
          await scene.check();
        }),
      ),
      { numRuns: 60 },
    );
  });

  it("writes more calls and audit entries than fit into one batch", async () => {
    const { account } = await tenant();
    await onStage(account, async (scene) => {
      for (let i = 0; i < 130; i++) scene.rename();
      let pushes = 0;
      for (; scene.projection.behind && pushes < 10; pushes++) await scene.projection.pushNow(scene.now);
      expect(pushes).toBe(2);
      await scene.check();
    });
  });

  it.each<[string, (scene: Scene) => void]>([
    ["a carrier's id for a call that has ended", (scene) => scene.placed(0)],
    ["a change of settings", (scene) => scene.rename()],
    ["a change of state", (scene) => scene.operate("pause")],
    ["a pause the campaign makes itself", ({ store, now }) => carrierFailed(store, "carrier_auth", () => 0, 1, now)],
    ["another call", (scene) => scene.dial(1)],
  ])("hears of %s that comes while something else is being told", async (_, change) => {
    const { account } = await tenant();
    await onStage(account, async (scene) => {
      scene.dial(1);
      scene.report(0, "completed");
      scene.line.state = "slow";
      const push = scene.projection.pushNow(scene.now);
      await expect.poll(() => scene.line.batches).toBe(1);
      change(scene);
      scene.line.release();
      await push;
      scene.line.state = "done";
      for (let i = 0; scene.projection.behind && i < 5; i++) await scene.projection.pushNow(scene.now);
      await scene.check();
    });
  });

  it("does not retry at once while D1 is down, however much happens", async () => {
    const { account } = await tenant();
    await onStage(account, async (scene) => {
      const { projection, line } = scene;
      line.state = "fails";
      await expect(projection.push(scene.now)).rejects.toThrow("dead");
      for (let i = 0; i < 20; i++) {
        scene.now += 10;
        scene.dial(1);
        expect(await projection.push(scene.now)).toBe(1_700_000_001_000);
      }
      expect(line.batches).toBe(1);
      scene.now = 1_700_000_001_000;
      line.state = "done";
      expect(await projection.push(scene.now)).toBeNull();
      expect(line.batches).toBe(2);
      await scene.check();
    });
  });

  it("writes a change of state at once and counters once a second", async () => {
    const { account } = await tenant();
    await onStage(account, async (scene) => {
      const { projection, line } = scene;
      expect(await projection.push(scene.now)).toBeNull();
      scene.dial(1);
      expect(await projection.push(scene.now + 1)).toBe(scene.now + 1_000);
      scene.operate("pause");
      expect(await projection.push(scene.now + 2)).toBeNull();
      expect(line.batches).toBe(2);
      expect(await projection.push(scene.now + 3)).toBeNull();
      expect(line.batches).toBe(2);
      await scene.check();
    });
  });
});
