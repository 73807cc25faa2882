import type { Audio } from "./fetch-audio.ts";
import type { Entry } from "./inbox-ledger.ts";

/** Number of downloads at a time: the platform's limit of concurrent requests of an object. */
const SLOTS = 6;
/**
 * The number of slots reserved for recordings that have not failed yet, so that retries of slow ones do not delay new
 * ones.
 */
const SLOTS_FOR_NEW = 2;

export type Ended = { entry: Entry } & ({ audio: Audio } | { error: unknown });

/** Fetches the audio; stops early at the signal. */
export type Download = (entry: Entry, signal: AbortSignal) => Promise<Audio>;

interface UnderWay {
  entry: Entry;
  abort: AbortController;
  ended: Promise<void>;
}

/** Checks whether a recording may be downloaded in addition to the downloads in progress. */
export function hasSlot({ tries }: Pick<Entry, "tries">, underWay: Pick<Entry, "tries">[]): boolean {
  if (underWay.length >= SLOTS) return false;
  return tries === 0 || underWay.filter((other) => other.tries > 0).length < SLOTS - SLOTS_FOR_NEW;
}

/** The downloads in progress of an account's recordings. They do not wait for each other. */
export class Downloads {
  readonly #underWay = new Map<string, UnderWay>();
  #ended: Ended[] = [];
  #changed = Promise.withResolvers<void>();

  /** Returns which of these recordings are neither being downloaded nor downloaded and waiting to be settled. */
  without(entries: Entry[]): Entry[] {
    const ended = new Set(this.#ended.map(({ entry }) => entry.id));
    return entries.filter(({ id }) => !this.#underWay.has(id) && !ended.has(id));
  }

  /** Checks whether any of these recordings is being downloaded. */
  anyUnderWay(entries: Entry[]): boolean {
    return entries.some(({ id }) => this.#underWay.has(id));
  }

  get count(): number {
    return this.#underWay.size;
  }

  start(entry: Entry, download: Download): boolean {
    const others = [...this.#underWay.values()].map((one) => one.entry);
    if (!hasSlot(entry, others)) return false;
    const abort = new AbortController();
    const ended = this.#run(entry, async () => {
      abort.signal.throwIfAborted();
      return download(entry, abort.signal);
    });
    this.#underWay.set(entry.id, { entry, abort, ended });
    return true;
  }

  /** Returns the downloads that have ended since the last call. */
  takeEnded(): Ended[] {
    return this.#ended.splice(0);
  }

  /** Ends the wait in `change`, because a recording may be due. */
  wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /** Waits until a download ends or a recording may be due, for at most `ms`. */
  async change(ms: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    await Promise.race([this.#changed.promise, late]);
    clearTimeout(timer);
  }

  /** Aborts the downloads of these calls, and waits until they store nothing more. */
  async abort(callIds: string[]): Promise<void> {
    const theirs = [...this.#underWay.values()].filter(({ entry }) => callIds.includes(entry.call_id));
    for (const { abort } of theirs) abort.abort();
    await Promise.all(theirs.map(({ ended }) => ended));
    this.#ended = this.#ended.filter(({ entry }) => !callIds.includes(entry.call_id));
  }

  async #run(entry: Entry, download: () => Promise<Audio>): Promise<void> {
    try {
      // Waits once, so that the download is registered before it can end.
      await Promise.resolve();
      this.#ended.push({ entry, audio: await download() });
    } catch (error) {
      this.#ended.push({ entry, error });
    } finally {
      this.#underWay.delete(entry.id);
      this.wake();
    }
  }
}
