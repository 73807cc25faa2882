import type { ObjectPart } from "../../../kernel/durable/object-part.ts";
import { withinTime } from "../../../kernel/time-limit.ts";
import { CHUNKS_A_TURN } from "../limits.ts";
import type { DocumentState, DocumentStore, IndexedChunk, Job } from "./document-store.ts";
import type { ReadDocument } from "./read-chunks.ts";

/** The maximum number of tries. A document that crashes the object every time is then given up. */
const MOST_TRIES = 3;

interface Dependencies {
  store: DocumentStore;
  /** Returns the original; null if there is none. */
  original(id: string): Promise<ArrayBuffer | null>;
  read(job: Job, bytes: ArrayBuffer): Promise<ReadDocument>;
  mostChunks(): Promise<number>;
  /** Checks whether a published version refers to the document's current text. */
  isHeld(id: string): Promise<boolean>;
  /** Records the end of processing, in the same transaction. */
  ended(state: DocumentState): void;
  report(error: unknown): void;
}

/** A document that was read, and the progress of storing it. */
interface Work {
  job: Job;
  language: string | null;
  chunks: Iterator<IndexedChunk>;
  stored: number;
}

/**
 * Processes the account's documents one after the other: reads the original, stores its chunks in a new edition, and
 * then makes that edition searchable at once. If the object restarts in between, the document is read again.
 */
export class Processing implements ObjectPart {
  readonly #deps: Dependencies;
  #work: Work | null = null;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  dueAt(): number | null {
    return this.#deps.store.next("files") === null ? null : 0;
  }

  async run(now: number): Promise<void> {
    const { store } = this.#deps;
    const work = this.#work;
    if (work !== null && store.isCurrent(work.job)) return this.#store(work, now);
    this.#work = null;
    const next = store.next("files");
    if (next === null) return;
    if (next.tries >= MOST_TRIES) return this.#fail(next.id, "reading_failed");
    const job = store.begin(next.id, now);
    if (job !== null) await this.#read(job, now);
  }

  async #read(job: Job, now: number): Promise<void> {
    const { store } = this.#deps;
    const [bytes, most] = await this.#gather(job);
    if (bytes === null) return this.#end(job, "original_missing");
    const found = await this.#readWithin(job, bytes, now);
    if (found === null || !store.isCurrent(job)) return;
    if ("failed" in found) return this.#end(job, found.failed);
    if (found.count + store.countChunks(job.id) > most) return this.#end(job, "too_many_chunks");
    this.#work = { job, language: found.language, chunks: found.chunks[Symbol.iterator](), stored: 0 };
  }

  async #gather(job: Job): Promise<[ArrayBuffer | null, number]> {
    try {
      return await Promise.all([this.#deps.original(job.id), this.#deps.mostChunks()]);
    } catch (error) {
      // Unavailable storage is not the document's fault.
      this.#deps.store.uncount(job);
      throw error;
    }
  }

  /** Returns null if reading took too long or was interrupted. */
  async #readWithin(job: Job, bytes: ArrayBuffer, now: number): Promise<ReadDocument | null> {
    try {
      return await withinTime(this.#deps.read(job, bytes), Math.max(0, (job.deadline ?? now) - now));
    } catch (error) {
      this.#deps.report(error);
      return null;
    }
  }

  async #store(work: Work, now: number): Promise<void> {
    const { store } = this.#deps;
    const batch: IndexedChunk[] = [];
    while (batch.length < CHUNKS_A_TURN) {
      const { value, done } = work.chunks.next();
      if (done === true) break;
      batch.push(value);
    }
    if (batch.length > 0) {
      store.add(work.job, batch, work.stored);
      work.stored += batch.length;
      return;
    }
    const { job, language } = work;
    const isHeld = await this.#deps.isHeld(job.id);
    this.#work = null;
    if (!store.isCurrent(job)) return;
    store.transaction(() =>
      this.#deps.ended(
        store.readTheSame(job) ? store.confirm(job.id, now) : store.finish(job, language, { now, isHeld }),
      ),
    );
  }

  #end(job: Job, reason: string): void {
    if (this.#deps.store.isCurrent(job)) this.#fail(job.id, reason);
  }

  #fail(id: string, reason: string): void {
    const { store, ended } = this.#deps;
    store.transaction(() => ended(store.fail(id, reason)));
  }

  /** Fails documents that have timed out. */
  get deadlines(): ObjectPart {
    const { store } = this.#deps;
    return {
      dueAt: () => store.firstDeadline(),
      run: async (now) => {
        for (const id of store.overdue(now)) this.#fail(id, "timed_out");
      },
    };
  }
}
