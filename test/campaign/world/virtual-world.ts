import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { CallingWindow } from "../../../src/campaign/decide/calling-windows.ts";
import { isOver, type Operation, type Voicemail } from "../../../src/campaign/decide/state.ts";
import type { DispatchDependencies } from "../../../src/campaign/dial/dispatch-dependencies.ts";
import { Dispatcher } from "../../../src/campaign/dial/dispatcher.ts";
import { type CampaignSettings, withDefaults } from "../../../src/campaign/settings.ts";
import { lookAtAllCalls, takeCallEvent } from "../../../src/campaign/store/call-transitions.ts";
import { CampaignStore } from "../../../src/campaign/store/campaign-store.ts";
import { cancelSome, changeSettings, operate } from "../../../src/campaign/store/campaign-transitions.ts";
import { addBatch, beginImport, finishImport, settleImport } from "../../../src/campaign/store/import-transitions.ts";
import { MINUTE_MS } from "../../../src/kernel/time.ts";
import { type Admission, admitCalls } from "../../../src/phone/call-limits/call-caps.ts";
import { SETTLED_WITHIN_MS } from "../../../src/phone/calls/reconciliation.ts";
import { type Behavior, type Delivery, type MessageBehavior, VirtualCarrier } from "./virtual-carrier.ts";
import { isOpen } from "./wall-clock.ts";

export const LIMITS = { ring: 30_000, duration: 120_000 };
const RETRY_INTERVAL = 30_000;
const author = { actor: "test", request_id: "test" };
const SPEAKER = {
  agent: {
    name: "Ada",
    greeting_message: "Hello.",
    timezone: null,
    greeting_mode: "interruptible" as const,
    disclosure: "account" as const,
    voice_provider: "cartesia" as const,
    voice_id: "v",
    language: "en-US",
    languages: [],
    key_terms: [],
    noise_suppression_enabled: false,
  },
  account_name: "Acme",
};

/** The campaign's settings that can change during the run, in virtual terms. */
export interface Rules {
  max_concurrency: number | null;
  calls_per_minute: number | null;
  windows: CallingWindow[] | null;
  timezone: string;
  /** Minutes from the start of the world until the campaign may dial. */
  scheduledIn: number | null;
}

export interface Scenario {
  startsAt: number;
  contacts: number;
  behaviors: Behavior[];
  deliveries: Delivery[];
  /** The account's caps. */
  concurrency: number;
  perMinute: number;
  rules: Rules;
  /** The settings after a change. */
  changed: Rules;
  /** Time zones of the contacts, in turn; null for the campaign's. */
  zones: (string | null)[];
  /** The contacts on the do-not-call list. */
  blocked: number[];
  maxAttempts: number;
  voicemail: Voicemail;
  /** Whether contacts are called again after a machine answered. */
  retriesMachines: boolean;
  /** The results of messages, in order. */
  messages: MessageBehavior[];
  /** The steps at which the process dies, a user acts, and the carrier refuses a lookup or hang-up. */
  crashAfter: number[];
  moments: { step: number; what: Exclude<Operation, "start"> | "change" }[];
  failedRequests: number[];
  /** How long a request to the carrier and an answered call take, ms. */
  takes: number;
  talks: number;
  /** Corrects contacts during the run. */
  repairs?: Repairs;
}

/** Changes contacts while the campaign runs. */
export interface Repairs {
  /** Acts at this step on the storage of the current process. */
  act(store: CampaignStore, step: number, now: number): void;
  /** Returns how often the contact (its row) was made pending again. */
  redials(contact: number): number;
}

/** A scenario without failures. */
export const CALM: Scenario = {
  startsAt: Date.parse("2026-11-20T10:00:00Z"),
  contacts: 10,
  behaviors: ["answered"],
  deliveries: ["prompt"],
  concurrency: 100,
  perMinute: 1_000,
  zones: [null],
  blocked: [],
  maxAttempts: 1,
  voicemail: "hang_up",
  retriesMachines: false,
  messages: ["left"],
  rules: { max_concurrency: null, calls_per_minute: null, windows: null, timezone: "UTC", scheduledIn: null },
  changed: { max_concurrency: null, calls_per_minute: null, windows: null, timezone: "UTC", scheduledIn: null },
  crashAfter: [],
  moments: [],
  failedRequests: [],
  takes: 0,
  talks: 20_000,
};

/** Thrown when a process dies. None of its later writes reach the storage. */
class Death extends Error {}

export const numberOf = (contact: number) => `+1202${5_550_000 + contact}`;

/** A world on a virtual clock: a carrier, a meter with caps, users, and processes that die. */
export class World {
  now: number;
  dead = false;
  /** The error of the check directly before a call, if the agent or the number can no longer call. */
  lineLost: Error | null = null;
  readonly carrier: VirtualCarrier;
  readonly problems = new Set<string>();
  /** Concurrent leases of the meter. */
  readonly leases = new Map<string, number>();
  readonly #scenario: Scenario;
  readonly #blocked: Set<string>;
  readonly #admitted: number[] = [];
  /** Requested calls that the carrier doesn't have yet. */
  readonly #onTheWay = new Set<string>();
  #store: CampaignStore | null = null;
  #steps = 0;
  #ids = 0;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
    this.now = scenario.startsAt;
    this.#blocked = new Set(scenario.blocked.map(numberOf));
    this.carrier = new VirtualCarrier(scenario, () => this.now);
  }

  settings(rules: Rules): CampaignSettings {
    const { startsAt, maxAttempts, voicemail, retriesMachines } = this.#scenario;
    const { windows, timezone, scheduledIn, ...limits } = rules;
    return {
      ...withDefaults({}, "test"),
      ...limits,
      agent_id: "agent",
      from_number: "+12025550100",
      schedule_config: windows,
      timezone,
      scheduled_at: scheduledIn === null ? null : new Date(startsAt + scheduledIn * 60_000).toISOString(),
      retry_config: {
        max_attempts: maxAttempts,
        retry_interval_minutes: RETRY_INTERVAL / 60_000,
        retry_on: ["busy", "no_answer", ...(retriesMachines ? (["machine"] as const) : [])],
      },
      voicemail,
    };
  }

  /** Starts a process with this store. */
  live(store: CampaignStore): DispatchDependencies {
    this.#store = store;
    return {
      now: () => this.now,
      newCallId: () => `call-${++this.#ids}`,
      exchange: async (request) => {
        await this.#step();
        return this.#exchange(request);
      },
      line: async () => ({
        provider: "sandbox",
        from_number: store.campaign.settings.from_number ?? "",
        credentials_id: null,
        agent_id: store.campaign.settings.agent_id ?? "",
        pinned_version: null,
        carrier: this.carrier.asCarrier((mayFail, act) => this.#request(mayFail, act)),
        speaker: SPEAKER,
        record: store.campaign.settings.record,
        recorded: 1,
        disclosure: null,
        recording: { announcement: null },
      }),
      carrierOf: async () => this.carrier.asCarrier((mayFail, act) => this.#request(mayFail, act)),
      recorded: async () => {},
      machineMessage: async () => {
        await this.#step();
        return { text: "Hello.", language: "en-US", relay: true, instructions_url: "" };
      },
      machineAnswered: async () => {},
      place: (_, callId, { phone }) => this.#place(callId, `+${phone}`),
      lastLook: async (_, number) => {
        await this.#step();
        if (this.lineLost) throw this.lineLost;
        return this.#blocked.has(number) ? "do_not_call" : null;
      },
      refused: async (numbers) => {
        if (numbers.length > 0) await this.#step();
        return new Map(numbers.filter((number) => this.#blocked.has(number)).map((number) => [number, "do_not_call"]));
      },
      changed: () => {},
      limits: LIMITS,
    };
  }

  /** Waits until the carrier has answered all requests; returns false if there were none. */
  async answered(): Promise<boolean> {
    const hadRequests = this.#onTheWay.size > 0;
    while (this.#onTheWay.size > 0 && !this.dead) await Promise.resolve();
    return hadRequests;
  }

  /** Plays the current step: users act and reports arrive. */
  tick(): void {
    const step = ++this.#steps;
    if (this.#scenario.crashAfter.includes(step)) this.dead = true;
    if (this.dead) throw new Death();
    for (const { what } of this.#scenario.moments.filter((moment) => moment.step === step)) this.#act(what);
    if (this.#store) this.#scenario.repairs?.act(this.#store, step, this.now);
    for (const [callId, event] of this.carrier.arrivedReports())
      if (this.#store) takeCallEvent(this.#store, callId, event, LIMITS, this.now);
  }

  #act(what: Scenario["moments"][number]["what"]): void {
    if (what !== "change") {
      const done = this.#store !== null && operate(this.#store, what, author, this.now);
      if (done && what === "stop" && this.#store) cancelSome(this.#store, this.now, 10);
    } else if (this.#store?.campaign.existing.status === "paused")
      changeSettings(this.#store, this.settings(this.#scenario.changed), author, this.now);
  }

  async #place(callId: string, to: string): Promise<{ provider_call_id: string }> {
    this.#judge(callId, to);
    this.#onTheWay.add(callId);
    try {
      await this.#step();
      this.now += this.#scenario.takes;
      this.carrier.place(callId, to);
    } finally {
      this.#onTheWay.delete(callId);
    }
    await this.#step();
    return { provider_call_id: callId };
  }

  /**
   * Judges a call. Nothing happens between the dispatcher's decision and this call, so every violation is the
   * dispatcher's fault.
   */
  #judge(callId: string, to: string): void {
    const store = this.#store;
    const attempt = store?.attempts.get(callId);
    const contact = attempt && store?.contacts.get(attempt.contact);
    if (!store || !attempt || !contact) throw new Error("a call that was not written down");
    const { settings, existing } = store.campaign;
    const zone = store.contacts.zoneName(contact.zone) ?? settings.timezone;
    const open = store.attempts.open();
    const again = this.#scenario.repairs?.redials(contact.id) ?? 0;
    const before = [...this.carrier.calls.values()].filter((call) => call.to === to);
    const others = this.carrier.running().length + this.#onTheWay.size;
    const lastMinute = store.attempts.dialledInMinute(this.now, 1_000).length;
    const wrong = {
      "while not running": existing.status !== "running",
      "before scheduled_at": settings.scheduled_at !== null && this.now < Date.parse(settings.scheduled_at),
      "outside the window": !isOpen(settings.schedule_config, zone, this.now),
      "on the do-not-call list": this.#blocked.has(to),
      "while the carrier is left alone": existing.not_before !== null && this.now < existing.not_before,
      "twice at once": open.filter((other) => other.contact === contact.id).length > 1,
      "while the last call runs": before.some(({ endsAt }) => endsAt > this.now),
      "after its message was left": again === 0 && before.some(({ messageAt }) => messageAt !== null),
      "by another number": to !== `+${contact.phone}`,
      "too soon again": again === 0 && before.some(({ endsAt }) => this.now < endsAt + RETRY_INTERVAL),
      "too often": contact.attempts > settings.retry_config.max_attempts + again,
      "above max_concurrency": open.length > (settings.max_concurrency ?? Number.POSITIVE_INFINITY),
      "above max_concurrency at the carrier": others >= (settings.max_concurrency ?? Number.POSITIVE_INFINITY),
      "above calls_per_minute": lastMinute > (settings.calls_per_minute ?? Number.POSITIVE_INFINITY),
      "above the account's concurrency": others >= this.#scenario.concurrency,
      "without a lease": (this.leases.get(callId) ?? 0) <= this.now,
    };
    for (const [what, is] of Object.entries(wrong)) if (is) this.problems.add(`dialed ${what}`);
  }

  async #request(mayFail: boolean, act = () => {}): Promise<void> {
    const fails = mayFail && this.#scenario.failedRequests.includes(this.#steps % 10);
    await this.#step();
    this.now += this.#scenario.takes;
    if (!fails) act();
    await this.#step();
    if (fails) throw new Error("the carrier does not answer");
  }

  async #step(): Promise<void> {
    await Promise.resolve();
    this.tick();
  }

  #exchange({ free, refund, renew, held, take }: Parameters<DispatchDependencies["exchange"]>[0]): Admission {
    for (const id of [...free, ...refund]) this.leases.delete(id);
    for (const id of this.leases.keys()) if (held && !held.includes(id)) this.leases.delete(id);
    for (const id of renew)
      if (this.leases.has(id)) this.leases.set(id, this.now + LIMITS.duration + SETTLED_WITHIN_MS);
    for (const [id, until] of this.leases) if (until <= this.now) this.leases.delete(id);
    const lastMinute = this.#admitted.filter((at) => at > this.now - 60_000);
    const { concurrency, perMinute } = this.#scenario;
    const admission = admitCalls(
      { concurrent_calls: concurrency, calls_per_minute: perMinute, calls_per_day: 1e6 },
      {
        concurrent: this.leases.size,
        ofCampaigns: this.leases.size,
        lastMinute: lastMinute.length,
        oldestInMinute: lastMinute[0] ?? null,
        nextLeaseExpiry: null,
        today: 0,
      },
      take.length,
      this.now,
    );
    for (const id of take.slice(0, admission.granted)) {
      this.leases.set(id, this.now + LIMITS.ring + SETTLED_WITHIN_MS);
      this.#admitted.push(this.now);
    }
    return admission;
  }
}

/** Wraps the storage as one process sees it. Once the process is dead, none of its writes get through. */
function mortal(storage: DurableObjectStorage, isDead: () => boolean): DurableObjectStorage {
  const alive = <T>(work: () => T): T => {
    if (isDead()) throw new Death();
    return work();
  };
  return {
    sql: { exec: (...args: Parameters<SqlStorage["exec"]>) => alive(() => storage.sql.exec(...args)) },
    kv: storage.kv,
    transactionSync: <T>(work: () => T) => alive(() => storage.transactionSync(work)),
  } as unknown as DurableObjectStorage;
}

/** Stores a campaign that is imported but not started. */
export function draft(scenario: Scenario, world: World, storage: DurableObjectStorage): CampaignStore {
  const store = new CampaignStore(storage, () => {}, MINUTE_MS);
  const settings = world.settings(scenario.rules);
  const id = crypto.randomUUID();
  beginImport(
    store,
    { id, account: "a", settings: JSON.stringify(settings), created_by: "t", created_at: world.now },
    author,
  );
  const contacts = Array.from({ length: scenario.contacts }, (_, i) => {
    const timezone = scenario.zones[i % scenario.zones.length] ?? null;
    return { line: i + 2, phone_number: numberOf(i), timezone, variables: [] };
  });
  addBatch(store, { contacts, rejects: [] }, world.now);
  Array.from(settleImport(store, () => world.now));
  finishImport(store, settings, [], world.now, { names: ["phone_number"], phone: 0, extra: 0 });
  return store;
}

const MAX_ROUNDS = 6_000;

/** Plays the scenario to its end. A paused campaign is resumed once nothing more happens. */
export async function play(scenario: Scenario, storage: DurableObjectStorage) {
  const world = new World(scenario);
  let store = draft(scenario, world, storage);
  operate(store, "start", author, world.now);
  const atEnd = () =>
    isOver(store.campaign.existing.status) && store.attempts.openCount() === 0 && store.campaign.existing.pending === 0;
  let rounds = 0;
  while (rounds < MAX_ROUNDS) {
    let mine = true;
    world.dead = false;
    store = new CampaignStore(
      mortal(storage, () => world.dead || !mine),
      () => {},
      MINUTE_MS,
    );
    const dispatcher = new Dispatcher(store, world.live(store));
    lookAtAllCalls(store, world.now);
    try {
      for (; rounds < MAX_ROUNDS && !atEnd(); rounds++) {
        world.tick();
        const { worked, wakeAt } = await dispatcher.round();
        if (world.dead) throw new Death();
        if (worked || (await world.answered())) continue;
        if (store.campaign.existing.status === "paused") {
          world.now += 1_000;
          world.tick();
          operate(store, "resume", author, world.now);
        }
        const next = Math.min(wakeAt ?? Number.POSITIVE_INFINITY, world.carrier.nextReportAt());
        world.now = Math.max(world.now + 1, Number.isFinite(next) ? next : world.now + 1_000);
      }
      // The meter receives the last leases.
      await dispatcher.round();
      break;
    } catch (error) {
      if (!(error instanceof Death)) throw error;
      // Lets requests of the dead process fail before the next one starts.
      for (let i = 0; i < 50; i++) await Promise.resolve();
      mine = false;
      world.now += 50;
    }
  }
  return { world, rounds, store: new CampaignStore(storage, () => {}, MINUTE_MS) };
}

/** Runs work in an empty object's storage. */
export const inObject = <T>(work: (storage: DurableObjectStorage) => Promise<T> | T) =>
  runInDurableObject(env.CAMPAIGN.getByName(`test/${crypto.randomUUID()}`), (_, state) => work(state.storage));
