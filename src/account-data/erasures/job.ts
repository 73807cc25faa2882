import type { ObjectPart } from "../../kernel/durable/object-part.ts";
import { sumOf } from "../../kernel/erasure/counts.ts";
import type { Job, JobStore } from "./job-store.ts";
import type { ErasureContext, Step } from "./step.ts";

interface Dependencies {
  store: JobStore;
  /** The steps in order, by the names under which progress is stored. */
  steps: Readonly<Record<string, Step>>;
  work(job: Job & { subject: NonNullable<Job["subject"]> }): ErasureContext;
  /** Adds the erasure to the account's list and its author to the audit log. Returns false if too many are pending. */
  record(job: Job): Promise<boolean>;
  /** Updates the receipt in the account's list. */
  publish(job: Job): Promise<void>;
}

/** The maximum duration of a run, ms; well below the limit of an alarm. */
const RUN_MS = 20_000;
/** The wait for something that has not ended yet, ms. It doubles up to the maximum. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

const waitMs = (waits: number) => Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** waits);

/**
 * Runs the steps of an erasure from the stored position, repeatedly until a round finds nothing. Each step's result and
 * the next position are stored together, so a crash neither skips anything nor counts it twice.
 */
export class ErasureJob implements ObjectPart {
  readonly #deps: Dependencies;
  readonly #names: string[];
  /** When (ms) to retry if the account has too many pending erasures. */
  #notBefore = 0;
  #recording: Promise<boolean> | null = null;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#names = Object.keys(deps.steps);
  }

  get first(): string {
    return this.#names[0] ?? "";
  }

  dueAt(): number | null {
    const job = this.#deps.store.job;
    if (job === null || (job.completed_at !== null && job.isPublished)) return null;
    return Math.max(job.due_at, this.#notBefore);
  }

  async run(now: number): Promise<void> {
    if (!(await this.record())) {
      this.#notBefore = Date.now() + LONGEST_WAIT_MS;
      return;
    }
    await this.#run(now + RUN_MS);
    await this.#publish();
  }

  /** Records the erasure before anything is erased. Returns false if too many are pending. */
  record(): Promise<boolean> {
    const { store, record } = this.#deps;
    const { job } = store;
    if (job === null || job.isRecorded) return Promise.resolve(job !== null);
    this.#recording ??= record(job)
      .then((isAdmitted) => {
        if (isAdmitted) store.recorded();
        return isAdmitted;
      })
      .finally(() => {
        this.#recording = null;
      });
    return this.#recording;
  }

  async #run(until: number): Promise<void> {
    const { store } = this.#deps;
    for (let { job } = store; isDue(job); job = store.job) {
      await this.#step(job);
      if (Date.now() >= until) return;
    }
  }

  async #step(job: Job & { subject: NonNullable<Job["subject"]> }): Promise<void> {
    const { store, steps, work } = this.#deps;
    // If a later release stored a step that this one doesn't know, the steps start over.
    const name = job.step in steps ? job.step : this.first;
    const { next, ...result } = (await steps[name]?.(work(job), name === job.step ? job.cursor : null)) ?? {
      next: null,
    };
    const now = Date.now();
    const counted = sumOf(result.counts ?? {}, result.absolute?.counts ?? {});
    const isNew = Object.values(counted).some((n) => n > 0) || (result.traces ?? []).length > 0;
    const found = job.found || isNew || result.unsettled === true;
    if (result.wait) {
      const waits = { waits: job.waits + 1, due_at: now + waitMs(job.waits) };
      return store.note(job, result, Object.assign(waits, { step: name, cursor: next, found: true, round: job.round }));
    }
    const onwards = { due_at: now, waits: 0, found, round: job.round };
    if (next !== null && next !== undefined)
      return store.note(job, result, Object.assign(onwards, { step: name, cursor: next }));
    const following = this.#names[this.#names.indexOf(name) + 1];
    if (following !== undefined)
      return store.note(job, result, Object.assign(onwards, { step: following, cursor: null }));
    // Messages may still be in transit, so the next round waits briefly.
    const again = { due_at: now + FIRST_WAIT_MS, waits: 0, found: false, round: job.round + 1 };
    store.note(job, result, Object.assign(again, { step: this.first, cursor: null }));
    if (!found) store.complete(now);
  }

  async #publish(): Promise<void> {
    const { store, publish } = this.#deps;
    const { job } = store;
    if (job === null || job.isPublished) return;
    await publish(job);
    store.published(job);
  }
}

function isDue(job: Job | null): job is Job & { subject: NonNullable<Job["subject"]> } {
  return job !== null && job.subject !== null && job.due_at <= Date.now();
}
