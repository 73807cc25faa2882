import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CampaignOutbox, campaignOutbox } from "../../src/campaign/outbox/campaign-outbox.ts";
import { lineReportOf } from "../../src/campaign/outbox/line-report.ts";
import { projectCampaign } from "../../src/campaign/projection.ts";
import { beginRedial, redialSome } from "../../src/campaign/repair/redial.ts";
import { withDefaults } from "../../src/campaign/settings.ts";
import { beginCall, callPlaced, carrierFailed, takeCallEvent } from "../../src/campaign/store/call-transitions.ts";
import { CampaignStore } from "../../src/campaign/store/campaign-store.ts";
import { cancelSome, changeSettings, operate } from "../../src/campaign/store/campaign-transitions.ts";
import { addBatch, beginImport, finishImport, settleImport } from "../../src/campaign/store/import-transitions.ts";
import { AccountStore } from "../../src/kernel/db/account-store.ts";
import { accountDatabase } from "../../src/kernel/durable/account-stores.ts";
import { instantOf } from "../../src/kernel/instant-ids.ts";
import { MINUTE_MS } from "../../src/kernel/time.ts";
import type { CallEvent } from "../../src/phone/carriers/carrier.ts";
import type { NewEvent } from "../../src/records/events/event.ts";
import type { LedgerReport } from "../../src/records/ledger/report.ts";
import { tenant } from "../support/client.ts";
import { newId } from "../support/ids.ts";
import { roundOf } from "../support/outbox-round.ts";

/** The fate of a delivery: it arrives, it fails, it arrives and the response is lost, or it arrives much later. */
type LineState = "done" | "fails" | "answer_lost" | "slow";
const STATES: LineState[] = ["done", "fails", "answer_lost", "slow"];
const DESTINATIONS = ["ledger", "events", "d1"] as const;
type Destination = (typeof DESTINATIONS)[number];
const LIMITS = { ring: 30_000, duration: 120_000 };
const PERSON = { actor: "console:ada", request_id: "r" };
const CONTACTS = 12;

/** A connection to a destination that sometimes fails. */
class BadLine {
  state: LineState = "done";
  deliveries = 0;
  #held: (() => void)[] = [];

  async carry<T>(work: () => T | Promise<T>): Promise<T> {
    const { state } = this;
    this.deliveries++;
    if (state === "fails") throw new Error("the line is dead");
    if (state === "slow") await new Promise<void>((go) => this.#held.push(go));
    const result = await work();
    if (state === "answer_lost") throw new Error("the line went dead");
    return result;
  }

  /** Delivers what was delayed, latest first. */
  release(): void {
    for (const go of this.#held.splice(0).reverse()) go();
  }
}

/** Collects what the destinations have received, whatever happened to the campaign's process. */
class Destinations {
  readonly lines = { ledger: new BadLine(), events: new BadLine(), d1: new BadLine() };
  readonly calls = new Map<string, Extract<LedgerReport, { part: "line" }>>();
  readonly events = new Map<string, NewEvent>();
  readonly revisions: number[] = [];
  /** Reports by call and revision: the content of a revision never changes. */
  readonly #bodies = new Map<string, string>();
  readonly problems: string[] = [];
  readonly #campaign: string;

  constructor(campaign: string) {
    this.#campaign = campaign;
  }

  async report(reports: LedgerReport[]): Promise<void> {
    await this.lines.ledger.carry(() => {
      for (const report of reports) {
        if (report.part !== "line") throw new TypeError("a campaign reports lines only");
        const { id, revision } = report;
        const text = JSON.stringify(report);
        if ((this.#bodies.get(`${id} ${revision}`) ?? text) !== text) this.problems.push("a revision that changed");
        this.#bodies.set(`${id} ${revision}`, text);
        if ((this.calls.get(id)?.revision ?? 0) < revision) this.calls.set(id, report);
      }
    });
  }

  async take(events: NewEvent[]): Promise<void> {
    await this.lines.events.carry(() => {
      for (const event of events) if (!this.events.has(event.id)) this.events.set(event.id, event);
    });
  }

  readonly database = {
    prepare: (sql: string) => env.DB.prepare(sql),
    batch: <T>(statements: D1PreparedStatement[]): Promise<D1Result<T>[]> =>
      this.lines.d1.carry(async () => {
        const results = await env.DB.batch<T>(statements);
        this.revisions.push((await this.row())?.revision ?? 0);
        return results;
      }),
  };

  row = () =>
    env.DB.prepare("SELECT revision, status, record FROM campaigns WHERE id = ?")
      .bind(this.#campaign)
      .first<{ revision: number; status: string; record: string }>();
}

/** Wraps the storage as one process sees it. Once the process is dead, none of its writes get through. */
class Process {
  isDead = false;
  readonly storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    const alive = <T>(work: () => T): T => {
      if (this.isDead) throw new Error("this process is dead");
      return work();
    };
    this.storage = {
      sql: { exec: (...args: Parameters<SqlStorage["exec"]>) => alive(() => storage.sql.exec(...args)) },
      kv: storage.kv,
      transactionSync: <T>(work: () => T) => alive(() => storage.transactionSync(work)),
    } as unknown as DurableObjectStorage;
  }
}

/** A running campaign of 12 contacts with its own clock and unreliable connections to its destinations. */
class Scene {
  now = 1_700_000_000_000;
  readonly id = newId();
  readonly far = new Destinations(this.id);
  readonly done: string[] = ["create", "start"];
  store: CampaignStore;
  owing: CampaignOutbox;
  #process: Process;
  #calls: string[] = [];
  readonly #account: string;
  readonly #storage: DurableObjectStorage;

  constructor(account: string, storage: DurableObjectStorage) {
    this.#account = account;
    this.#storage = storage;
    const settings = withDefaults({ from_number: "+12025550100" }, "Test");
    const store = new CampaignStore(storage, () => {}, MINUTE_MS);
    const campaign = { id: this.id, account, settings: JSON.stringify(settings) };
    beginImport(store, { ...campaign, created_by: "t", created_at: this.now }, PERSON);
    const contacts = Array.from({ length: CONTACTS }, (_, i) => ({
      line: i + 2,
      phone_number: `+1202${5_550_000 + i}`,
      timezone: null,
      variables: [],
    }));
    addBatch(store, { contacts, rejects: [] }, this.now);
    Array.from(settleImport(store, () => this.now));
    finishImport(store, settings, [], this.now, { names: ["phone_number"], phone: 0, extra: 0 });
    operate(store, "start", PERSON, this.now);
    [this.#process, this.store, this.owing] = this.#boot();
  }

  #boot(): [Process, CampaignStore, CampaignOutbox] {
    const process = new Process(this.#storage);
    const store = new CampaignStore(process.storage, () => {}, MINUTE_MS);
    const accountStore = new AccountStore(
      accountDatabase(env, this.#account, this.far.database),
      this.#account,
      PERSON,
    );
    const owing = campaignOutbox({
      sql: process.storage.sql,
      store,
      accountStore,
      report: (reports) => this.far.report(reports),
      take: (events) => this.far.take(events),
      now: () => this.now,
    });
    return [process, store, owing];
  }

  /** Kills the process, whatever it is waiting for, and starts another one. */
  kill(): void {
    this.#process.isDead = true;
    [this.#process, this.store, this.owing] = this.#boot();
  }

  dial(n: number): void {
    const zones = this.store.contacts.queues(n, this.now).map(({ zone }) => zone);
    for (const contact of this.store.contacts.due(zones, n, this.now)) {
      const id = newId(this.now);
      const line = {
        provider: "sandbox",
        from_number: "+12025550100",
        credentials_id: null,
        agent_id: "agent",
        pinned_version: null,
        disclosure: null,
        recorded: 1,
      };
      beginCall(this.store, contact, id, line, LIMITS, this.now);
      this.#calls.push(id);
    }
  }

  dialAndPlace(): void {
    this.dial(1);
    this.placed(this.#calls.length - 1);
  }

  placed(which: number): void {
    const id = this.#calls[which % this.#calls.length];
    if (id) callPlaced(this.store, id, `provider-${id}`, this.now);
  }

  report(which: number, status: CallEvent["status"]): void {
    const id = this.#calls[which % this.#calls.length];
    const event = { status, provider_call_id: null, answered_by: null, reason: "its_word", recording: null };
    if (id) takeCallEvent(this.store, id, event, LIMITS, this.now);
  }

  operate(operation: "pause" | "resume"): void {
    if (operate(this.store, operation, PERSON, this.now)) this.done.push(operation);
  }

  rename(): void {
    changeSettings(this.store, { name: `${this.now}` }, PERSON, this.now);
    this.done.push("update");
  }

  redial(): void {
    if (this.store.campaign.existing.status !== "paused" || this.store.campaign.existing.redial !== null) return;
    beginRedial(this.store, ["busy"], PERSON, this.now);
    while (this.store.campaign.existing.redial !== null) redialSome(this.store, 100, this.now);
    this.done.push("redial");
  }

  push(destination: Destination): Promise<void> {
    return this.owing.outbox.push(destination, this.now).catch(() => {});
  }

  /** Delivers everything that is pending, in as many attempts as necessary. */
  async drain(): Promise<void> {
    for (let i = 0; this.owing.outbox.owes && i < 20; i++) await Promise.all(DESTINATIONS.map((to) => this.push(to)));
    expect(this.owing.outbox.owes).toBe(false);
  }

  /** Returns what must have been reported according to the history, in order: the type, the subject and the time. */
  #expectedEvents(): string[] {
    type Row = { status: string; previous_status: string | null; contact: number | null; at: number };
    const rows = this.#storage.sql.exec<Row>("SELECT status, previous_status, contact, at FROM log ORDER BY seq");
    let status = "draft";
    return [...rows].flatMap((row) => {
      if (row.contact !== null)
        return row.status !== row.previous_status && ["completed", "failed"].includes(row.status)
          ? [`contact.${row.status} ${row.contact} ${row.at}`]
          : [];
      const before = status;
      status = row.status;
      if (status === before) return [];
      const verb = status === "running" ? (before === "draft" ? "started" : "resumed") : status;
      return [`campaign.${verb} ${row.at}`];
    });
  }

  /** Checks that each destination has everything, each message once and in order. */
  async check(): Promise<void> {
    const { far, store } = this;
    expect(far.problems).toEqual([]);
    expect([...far.calls.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
      this.#calls.toSorted().map((id) => lineReportOf(store, id)),
    );
    const reported = [...far.events.values()].map(({ id, type, at, data }) => {
      expect(instantOf(id)).toBe(Date.parse(at));
      expect(data).toMatchObject({ campaign_id: this.id });
      const contact = "attempt_count" in data ? ` ${Number.parseInt(data.contact_id.slice(-8), 16)}` : "";
      return `${type}${contact} ${Date.parse(at)}`;
    });
    expect(reported).toEqual(this.#expectedEvents());
    const { revision, status } = store.campaign.existing;
    const row = await far.row();
    expect(row).toMatchObject({ revision, status });
    expect(JSON.parse(row?.record ?? "")).toEqual(projectCampaign(store.campaign.existing));
    expect(far.revisions).toEqual(far.revisions.toSorted((a, b) => a - b));
    const audits = await env.DB.prepare("SELECT action FROM audit_log WHERE resource_id = ? ORDER BY id")
      .bind(this.id)
      .all<{ action: string }>();
    expect(audits.results.map(({ action }) => action)).toEqual(this.done);
  }
}

const onStage = <T>(account: string, play: (scene: Scene) => Promise<T>) =>
  runInDurableObject(env.CAMPAIGN.getByName(`test/${crypto.randomUUID()}`), (_, { storage }) =>
    play(new Scene(account, storage)),
  );

/** Waits until a delivery is in flight. */
const soon = () => new Promise((go) => setTimeout(go, 1));

const line = fc.record({ to: fc.constantFrom(...DESTINATIONS), state: fc.constantFrom(...STATES) });
const step = fc.oneof(
  fc.record({ dial: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ placed: fc.nat(11) }),
  fc.record({
    call: fc.nat(11),
    status: fc.constantFrom<CallEvent["status"][]>("ringing", "in-progress", "completed", "busy"),
  }),
  fc.record({ operation: fc.constantFrom("pause", "resume", "rename", "redial") }),
  line,
  line,
  fc.record({ release: fc.constantFrom(...DESTINATIONS) }),
  fc.constant({ kill: true }),
);

describe("a campaign's outbox, over unreliable connections and process crashes", () => {
  it("arrives complete, each message once and in order", async () => {
    const { account } = await tenant();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 50 }), (steps) =>
        onStage(account, async (scene) => {
          const { lines } = scene.far;
          const pushes: Promise<unknown>[] = [];
          for (const now of steps) {
            scene.now += 10;
            if ("dial" in now) scene.dial(now.dial);
            else if ("placed" in now) scene.placed(now.placed);
            else if ("status" in now) scene.report(now.call, now.status);
            else if ("operation" in now) {
              if (now.operation === "rename") scene.rename();
              else if (now.operation === "redial") scene.redial();
              else scene.operate(now.operation === "pause" ? "pause" : "resume");
            } else if ("release" in now) lines[now.release].release();
            else if ("kill" in now) scene.kill();
            else {
              lines[now.to].state = now.state;
              pushes.push(scene.push(now.to));
              await soon();
            }
          }
          for (const to of DESTINATIONS) lines[to].state = "done";
          let open = pushes.length;
          for (const push of pushes) void push.then(() => open--);
          while (open > 0) {
            for (const to of DESTINATIONS) lines[to].release();
            await soon();
          }
          await scene.drain();
          await scene.check();
        }),
      ),
      { numRuns: 60 },
    );
  });

  it("a campaign's outbox is sent in batches of any size", async () => {
    const { account } = await tenant();
    await onStage(account, async (scene) => {
      for (let i = 0; i < 700; i++) scene.rename();
      await scene.drain();
      expect(scene.far.lines.d1.deliveries).toBe(2);
      await scene.check();
    });
  });

  it.each<[string, (scene: Scene) => void]>([
    ["a carrier's id for a call that has ended", (scene) => scene.placed(0)],
    ["a change of settings", (scene) => scene.rename()],
    ["a change of state", (scene) => scene.operate("pause")],
    ["a pause the campaign makes itself", ({ store, now }) => carrierFailed(store, "auth", now, now)],
    ["another call", (scene) => scene.dial(1)],
  ])("a campaign's outbox includes %s that arrives during another delivery", async (_, change) => {
    const { account } = await tenant();
    await onStage(account, async (scene) => {
      scene.dial(1);
      scene.report(0, "completed");
      for (const to of DESTINATIONS) scene.far.lines[to].state = "slow";
      const pushes = DESTINATIONS.map((to) => scene.push(to));
      await expect.poll(() => DESTINATIONS.map((to) => scene.far.lines[to].deliveries)).toEqual([1, 1, 1]);
      change(scene);
      for (const to of DESTINATIONS) {
        scene.far.lines[to].state = "done";
        scene.far.lines[to].release();
      }
      await Promise.all(pushes);
      await scene.drain();
      await scene.check();
    });
  });

  it("a failing destination delays only its own deliveries", async () => {
    const { account } = await tenant();
    await onStage(account, async (scene) => {
      const { ledger, events, d1 } = scene.far.lines;
      ledger.state = "fails";
      const deliverAll = () => Promise.all(DESTINATIONS.map((to) => roundOf(scene.owing.outbox, to, scene.now)));
      scene.dial(1);
      for (let i = 0; i < 200; i++) {
        scene.now += 10;
        if (i % 20 === 0) scene.dialAndPlace();
        await deliverAll();
      }
      // It was sent at once and after a second. The next attempt is due in two more seconds.
      expect(ledger.deliveries).toBe(2);
      expect([events.deliveries, d1.deliveries]).toEqual([1, 2]);
      ledger.state = "done";
      await scene.drain();
      await scene.check();
    });
  });

  it("reports a change of state at once, and everything else once a second", async () => {
    const { account } = await tenant();
    await onStage(account, async (scene) => {
      const { outbox } = scene.owing;
      const { d1, ledger } = scene.far.lines;
      expect(await roundOf(outbox, "d1", scene.now)).toBeNull();
      scene.dialAndPlace();
      expect(await roundOf(outbox, "ledger", scene.now)).toBeNull();
      scene.dialAndPlace();
      for (const to of ["d1", "ledger"] as const)
        expect(await roundOf(outbox, to, scene.now + 1)).toBe(scene.now + 1_000);
      scene.operate("pause");
      for (const to of ["d1", "ledger"] as const) expect(await roundOf(outbox, to, scene.now + 2)).toBeNull();
      expect([d1.deliveries, ledger.deliveries]).toEqual([2, 2]);
      expect(await roundOf(outbox, "d1", scene.now + 3)).toBeNull();
      expect(d1.deliveries).toBe(2);
      await scene.drain();
      await scene.check();
    });
  });

  it("reports finished contacts, and none that a stop canceled", async () => {
    const { account } = await tenant();
    await onStage(account, async (scene) => {
      const { store, far } = scene;
      scene.dial(2);
      scene.report(0, "completed");
      scene.report(1, "busy");
      operate(store, "stop", PERSON, scene.now);
      scene.done.push("stop");
      cancelSome(store, scene.now);
      await scene.drain();
      await scene.check();
      expect(
        [...far.events.values()].map(({ type, data }) => [
          type,
          "outcome" in data && [data.outcome, data.attempt_count],
        ]),
      ).toEqual([
        ["campaign.started", false],
        ["contact.completed", ["answered", 1]],
        ["contact.failed", ["busy", 1]],
        ["campaign.stopped", false],
      ]);
    });
  });
});
