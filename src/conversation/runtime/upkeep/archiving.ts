import type { ArchivedDetail } from "../../../records/conversations/archive.ts";
import { isComplete } from "../../../records/conversations/record.ts";
import type { ConversationStore } from "../store/conversation-store.ts";
import { detailOf } from "../streams/projection.ts";
import { TOKEN_AFTER_END_MS } from "../turns/waiting.ts";

/** Archives a conversation in R2 once nothing more is expected. */
export class Archiving {
  readonly #store: ConversationStore;
  readonly #put: (detail: ArchivedDetail) => Promise<void>;

  constructor(store: ConversationStore, put: (detail: ArchivedDetail) => Promise<void>) {
    this.#store = store;
    this.#put = put;
  }

  /** Checks whether the conversation should be archived at `now`, ms, and is not yet. */
  isDue(now: number): boolean {
    const { row } = this.#store;
    if (row === null || row.ended_at === null || row.archived === 1) return false;
    return isComplete(this.#store.events) || now >= row.ended_at + TOKEN_AFTER_END_MS;
  }

  /** Archives the conversation if due, then marks it as archived. */
  async archive(now: number): Promise<void> {
    if (!this.isDue(now)) return;
    const { existing, lastN } = this.#store;
    await this.#put(detailOf(this.#store));
    // Events that arrived meanwhile are not in the archive yet.
    if (this.#store.row?.id === existing.id && this.#store.lastN === lastN) this.#store.update({ archived: 1 });
  }
}
