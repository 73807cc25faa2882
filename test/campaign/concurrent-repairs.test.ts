import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contactId } from "../../src/campaign/contact-id.ts";
import { CONTACT_STATUSES, isOver, type Outcome } from "../../src/campaign/decide/state.ts";
import { cancelContact } from "../../src/campaign/repair/cancel.ts";
import { contactsToCopy } from "../../src/campaign/repair/copy.ts";
import { correctContact } from "../../src/campaign/repair/correct.ts";
import { redialRefusal } from "../../src/campaign/repair/decide.ts";
import { FAILED_OUTCOMES } from "../../src/campaign/repair/outcomes.ts";
import { beginRedial, REDIALLED_A_PIECE, redialSome } from "../../src/campaign/repair/redial.ts";
import { Redials } from "../../src/campaign/repair/redials.ts";
import type { CampaignStore } from "../../src/campaign/store/campaign-store.ts";
import { operate } from "../../src/campaign/store/campaign-transitions.ts";
import { chain } from "../../src/campaign/store/log.ts";
import { ApiError } from "../../src/kernel/http/errors.ts";
import { BEHAVIORS, DELIVERIES } from "./world/virtual-carrier.ts";
import { CALM, draft, inObject, numberOf, play, type Repairs, type Scenario, World } from "./world/virtual-world.ts";

const author = { actor: "editor", request_id: "test" };
const MOST_CONTACTS = 12;

type RepairOperation =
  | { what: "correct"; contact: number; number: number | null; note: string | null }
  | { what: "cancel"; contact: number }
  | { what: "redial"; outcomes: Outcome[] };
type Plan = { step: number; operation: RepairOperation }[];

/** Plays the planned repairs and keeps its own record of the expected result. */
class Model implements Repairs {
  readonly #plan: Plan;
  /** The numbers (digits) of each contact, each with the last history entry to which it applies. */
  readonly numbers = new Map<number, { until: number; phone: number }[]>();
  readonly notes = new Map<number, string>();
  readonly cancelled = new Set<number>();
  readonly #redials = new Map<number, number>();
  /** The contacts that the redial in progress still has to make pending. */
  #toRedial = new Set<number>();
  /** How often each operation was done and refused. */
  readonly done = { correct: 0, cancel: 0, redial: 0, refused: 0 };

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  redials = (contact: number) => this.#redials.get(contact) ?? 0;

  numberAt(contact: number, seq: number): number {
    const then = this.numbers.get(contact)?.find(({ until }) => seq <= until);
    return then?.phone ?? Number(numberOf(contact - 1).slice(1));
  }

  act(store: CampaignStore, step: number, now: number): void {
    if (store.campaign.existing.redial !== null) this.#redialSome(store, now);
    for (const { operation } of this.#plan.filter((planned) => planned.step === step)) {
      try {
        this.#do(store, operation, now);
        this.done[operation.what]++;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        this.done.refused++;
      }
    }
  }

  #do(store: CampaignStore, operation: RepairOperation, now: number): void {
    const { id, seq } = store.campaign.existing;
    if (operation.what === "correct") this.#correct(store, operation, seq, now);
    else if (operation.what === "cancel") {
      cancelContact({ store, now: () => now }, { id: contactId(id, operation.contact), author, operation: null });
      this.cancelled.add(operation.contact);
    } else {
      const refusal = redialRefusal(store.campaign.existing);
      if (refusal) throw refusal;
      const nobody = store.repairs.failed(operation.outcomes, [], 1).length === 0;
      if (nobody || store.repairs.stillTalking(operation.outcomes) > 0) throw new ApiError(409, "nobody", "nobody");
      this.#toRedial = new Set(failedOf(store, operation.outcomes));
      expect(beginRedial(store, operation.outcomes, author, now)).toBe(this.#toRedial.size);
    }
  }

  #correct(
    store: CampaignStore,
    operation: Extract<RepairOperation, { what: "correct" }>,
    seq: number,
    now: number,
  ): void {
    const { contact, number, note } = operation;
    const was = store.contacts.get(contact)?.phone ?? 0;
    const phone_number = number === null ? undefined : numberOf(number);
    const correction = { phone_number, variables: note === null ? undefined : { note } };
    const id = contactId(store.campaign.existing.id, contact);
    correctContact({ store, now: () => now }, { id, correction, author });
    if (note !== null) this.notes.set(contact, note);
    if (phone_number === undefined || Number(phone_number.slice(1)) === was) return;
    const before = this.numbers.get(contact) ?? [{ until: Number.POSITIVE_INFINITY, phone: was }];
    const last = before.at(-1);
    if (last) last.until = seq;
    this.numbers.set(contact, [...before, { until: Number.POSITIVE_INFINITY, phone: Number(phone_number.slice(1)) }]);
  }

  /** Redials two contacts at a time. The rows show which ones. */
  #redialSome(store: CampaignStore, now: number): void {
    const before = failedOf(store, FAILED_OUTCOMES);
    const over = redialSome(store, 2, now);
    const after = new Set(failedOf(store, FAILED_OUTCOMES));
    for (const id of before.filter((one) => !after.has(one))) {
      expect(this.#toRedial.delete(id), "failed when the redial began").toBe(true);
      this.#redials.set(id, this.redials(id) + 1);
    }
    if (over) expect(this.#toRedial.size, "left out").toBe(0);
  }
}

/** Returns the rows of the contacts that failed with one of the outcomes. */
function failedOf(store: CampaignStore, outcomes: readonly Outcome[]): number[] {
  return store.listing
    .page({ status: "failed", limit: 100, offset: 0 })
    .filter(({ outcome }) => outcome !== null && outcomes.includes(outcome))
    .map(({ id }) => id);
}

const contact = fc.integer({ min: 1, max: MOST_CONTACTS });
const operation: fc.Arbitrary<RepairOperation> = fc.oneof(
  fc.record({
    what: fc.constant("correct" as const),
    contact,
    // Some of these numbers belong to other contacts.
    number: fc.option(fc.integer({ min: 5, max: 40 })),
    note: fc.option(fc.constantFrom("a", "b")),
  }),
  fc.record({ what: fc.constant("cancel" as const), contact }),
  fc.record({
    what: fc.constant("redial" as const),
    outcomes: fc.oneof(
      fc.constant(FAILED_OUTCOMES),
      fc.uniqueArray(fc.constantFrom(...FAILED_OUTCOMES), { minLength: 1 }),
    ),
  }),
);
const step = fc.integer({ min: 1, max: 90 });
const world = fc.record({
  contacts: fc.integer({ min: 2, max: MOST_CONTACTS }),
  behaviors: fc.array(fc.constantFrom(...BEHAVIORS), { minLength: 1, maxLength: 8 }),
  deliveries: fc.array(fc.constantFrom(...DELIVERIES), { minLength: 1, maxLength: 3 }),
  concurrency: fc.integer({ min: 1, max: 4 }),
  maxAttempts: fc.integer({ min: 1, max: 2 }),
  blocked: fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { maxLength: 2 }),
  crashAfter: fc.array(step, { maxLength: 3 }),
  takes: fc.constantFrom(0, 0, 300),
  moments: fc.array(
    fc.record({
      step,
      what: fc.oneof(
        { weight: 8, arbitrary: fc.constant("pause" as const) },
        { weight: 3, arbitrary: fc.constant("resume" as const) },
        { weight: 1, arbitrary: fc.constant("stop" as const) },
      ),
    }),
    { minLength: 1, maxLength: 10 },
  ),
});
/** Repairs happen at any step, and right after a pause, because most of them are allowed then. */
const scenario = fc.record({
  world,
  operations: fc.array(fc.record({ step, operation, afterPause: fc.boolean() }), { maxLength: 25 }),
});

type End = Awaited<ReturnType<typeof play>>;

function check({ store, world }: End, model: Model): void {
  expect([...world.problems]).toEqual([]);
  const row = store.campaign.existing;
  expect(isOver(row.status)).toBe(true);
  expect(row.redial).toBe(null);
  const contacts = store.listing.page({ limit: 1_000, offset: 0 });
  for (const status of CONTACT_STATUSES)
    expect(contacts.filter((one) => one.status === status).length, status).toBe(row[status]);
  const columns: string[] = JSON.parse(row.columns);
  for (const { id, phone, variables, status } of contacts) {
    expect(phone).toBe(model.numberAt(id, Number.MAX_SAFE_INTEGER));
    expect((JSON.parse(variables)[columns.indexOf("note")] ?? "") as string).toBe(model.notes.get(id) ?? "");
    if (model.cancelled.has(id)) expect(status).toBe("cancelled");
  }
  expect(new Set(contacts.map(({ phone }) => phone)).size).toBe(contacts.length);
  checkHistory(store, model);
}

/**
 * Checks that the history is unbroken, with the numbers the contacts had, and that each contact's changes are
 * consecutive.
 */
function checkHistory(store: CampaignStore, model: Model): void {
  let previous = "";
  const status = new Map<number, string>();
  for (const entry of store.log.after(0, 100_000)) {
    expect(entry.hash, `entry ${entry.seq}`).toBe(chain(previous, entry));
    previous = entry.hash;
    if (entry.contact === null) continue;
    expect(entry.phone).toBe(model.numberAt(entry.contact, entry.seq));
    expect(entry.previous_status).toBe(status.get(entry.contact) ?? "pending");
    status.set(entry.contact, entry.status);
  }
  for (const { id, status: now } of store.listing.page({ limit: 1_000, offset: 0 })) expect(status.get(id)).toBe(now);
}

const shown = (store: CampaignStore) =>
  store.listing
    .page({ limit: 1_000, offset: 0 })
    .map(({ phone, zone, variables }) => [phone, zone, JSON.parse(variables)]);

/** Checks that a clone has every contact once, in its current state. */
async function checkClone(store: CampaignStore): Promise<void> {
  const [copied, expected] = [contactsToCopy(store, 0, null), shown(store)];
  await inObject((storage) => {
    const clone = draft({ ...CALM, contacts: 0 }, new World(CALM), storage);
    clone.repairs.paste(copied, 1);
    expect(shown(clone)).toEqual(expected);
    const fresh = clone.listing.page({ status: "pending", limit: 1_000, offset: 0 });
    expect(fresh.filter(({ attempts, outcome }) => attempts === 0 && outcome === null)).toHaveLength(expected.length);
  });
}

/** Pauses the campaign, corrects its first contact and resumes it in one step. */
class Sudden extends Model {
  readonly #at: number;

  constructor(at: number) {
    super([]);
    this.#at = at;
  }

  override act(store: CampaignStore, step: number, now: number): void {
    if (step !== this.#at || !operate(store, "pause", author, now)) return;
    try {
      const correction = { phone_number: numberOf(30), variables: { note: "late" } };
      const id = contactId(store.campaign.existing.id, 1);
      correctContact({ store, now: () => now }, { id, correction, author });
      this.done.correct++;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
    operate(store, "resume", author, now);
  }
}

describe("a contact corrected while its call is being prepared", () => {
  it("a contact is called at its corrected number, whenever the correction arrives", async () => {
    let corrected = 0;
    for (let at = 1; at <= 8; at++) {
      await inObject(async (storage) => {
        const sudden = new Sudden(at);
        const { world } = await play({ ...CALM, contacts: 1, repairs: sudden }, storage);
        expect([...world.problems], `step ${at}`).toEqual([]);
        const [called, ...others] = world.carrier.dialled.map(({ to }) => to);
        expect([called, others.length]).toEqual([numberOf(sudden.done.correct > 0 ? 30 : 0), 0]);
        corrected += sudden.done.correct;
      });
    }
    // The correction arrived before the round, while the wave was chosen, and while the call was about to be placed.
    expect(corrected).toBeGreaterThan(2);
  });
});

describe("a long redial", () => {
  it("a long redial answers after two seconds with the total count and continues in the background", async () => {
    await inObject(async (storage) => {
      const contacts = 3 * REDIALLED_A_PIECE;
      const store = draft({ ...CALM, contacts }, new World(CALM), storage);
      operate(store, "start", author, 1);
      operate(store, "pause", author, 2);
      storage.sql.exec("UPDATE contacts SET status = 'failed', outcome = 'busy', next_attempt_at = NULL");
      store.campaign.update({ pending: 0, failed: contacts });
      let now = 1_000;
      const slowly = () => {
        now += 700;
        return now;
      };
      const redials = new Redials(store, { reopen: async () => {}, close: async () => {} });
      expect(await redials.redial(["busy"], author, slowly, async () => {})).toBe(contacts);
      expect(store.campaign.counts).toMatchObject({ pending: REDIALLED_A_PIECE, failed: 2 * REDIALLED_A_PIECE });
      while (store.campaign.existing.redial !== null) redials.round(now);
      expect([store.campaign.counts.pending, store.campaign.existing.redial]).toEqual([contacts, null]);
    });
  });

  it("includes contacts that had failed when it began, not one that fails meanwhile", async () => {
    await inObject((storage) => {
      const store = draft({ ...CALM, contacts: 5 }, new World(CALM), storage);
      const fail = (ids: string) =>
        storage.sql.exec(`UPDATE contacts SET status = 'failed', outcome = 'busy' WHERE id IN (${ids})`);
      operate(store, "start", author, 1);
      operate(store, "pause", author, 2);
      fail("2, 3, 4, 5");
      storage.sql.exec("UPDATE contacts SET status = 'originated', next_attempt_at = NULL WHERE id = 1");
      storage.sql.exec(`INSERT INTO attempts (call_id, contact, number, dialled_at, provider, from_number, agent_id, recorded,
        state, status) VALUES ('c', 1, 1, 1, 'sandbox', '', '', 0, 'placed', 'ringing')`);
      expect(beginRedial(store, ["busy"], author, 3)).toBe(4);
      expect(redialSome(store, 2, 4)).toBe(false);
      fail("1");
      expect(redialSome(store, 2, 5)).toBe(true);
      expect(failedOf(store, ["busy"])).toEqual([1]);
      const end = store.log.after(0, 100).at(-1);
      expect([end?.event, end?.reason, store.campaign.existing.redial]).toEqual(["campaign", "redialled", null]);
    });
  });
});

describe("correcting, canceling and redialing in a campaign that runs, pauses, crashes and stops", () => {
  it("keeps counters and history consistent, and never dials a contact that must not be dialed", async () => {
    const seen = { correct: 0, cancel: 0, redial: 0, refused: 0, redialled: 0, renumbered: 0 };
    await fc.assert(
      fc.asyncProperty(scenario, async ({ world, operations }) => {
        const pauses = world.moments.filter(({ what }) => what === "pause").map((moment) => moment.step);
        const plan = operations.map(({ step, operation, afterPause }, i) => ({
          operation,
          step: afterPause ? (pauses[i % pauses.length] ?? step) : step,
        }));
        const model = new Model(plan);
        const random: Scenario = { ...CALM, ...world, repairs: model };
        await inObject(async (storage) => {
          const end = await play(random, storage);
          check(end, model);
          await checkClone(end.store);
          for (const id of end.store.listing.page({ limit: 1_000, offset: 0 }).map((one) => one.id)) {
            if (model.redials(id) > 0 && (end.store.contacts.get(id)?.attempts ?? 0) > random.maxAttempts)
              seen.redialled++;
            if (model.numbers.has(id) && end.store.attempts.ofContact(id).length > 0) seen.renumbered++;
          }
        });
        for (const what of ["correct", "cancel", "redial", "refused"] as const) seen[what] += model.done[what];
      }),
      { numRuns: 80 },
    );
    // Otherwise the scenarios tested nothing. Rare cases occur only a few times, so any positive number is enough.
    for (const [what, n] of Object.entries(seen)) expect(n, what).toBeGreaterThan(0);
  });
});
