import { armNoLaterThan, earliest, nextAlarm } from "../../kernel/durable/alarm.ts";
import type { Round, Work } from "../../kernel/durable/alarm-loop.ts";
import type { CampaignContext } from "../context.ts";
import type { ContactAppend } from "../import/append.ts";
import { IMPORT_WATCH_MS } from "../import/watch.ts";
import type { Redials } from "../repair/redials.ts";
import { lookAtAllCalls } from "../store/call-transitions.ts";
import { abandon, type EraseContext } from "./erase.ts";

interface Dependencies extends EraseContext, Pick<CampaignContext, "guard" | "claims" | "dispatcher" | "report"> {
  appends: ContactAppend;
  redials: Redials;
}

/** The campaign's alarm work: it dials, and finishes or undoes whatever takes longer than a request. */
export class Upkeep implements Work {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Arms the alarm after a restart of the object, which may have lost it. */
  async resume(now: number): Promise<void> {
    const { store, storage, outbox } = this.#deps;
    lookAtAllCalls(store, now);
    // Undo an interrupted append at once: until then the campaign cannot be started.
    const undoAt = store.campaign.row?.append_after == null ? null : now + 1;
    const due = nextAlarm([await storage.getAlarm(), store.attempts.nextLookAt(), undoAt, outbox.dueAt()], now + 1);
    await armNoLaterThan(storage, due ?? now + 1);
  }

  alive(): boolean {
    return this.#deps.store.campaign.row !== null;
  }

  report(error: unknown): void {
    this.#deps.report(error);
  }

  /** An unavailable receiver of what the campaign owes stops neither the campaign nor its other deliveries. */
  readonly beside = [
    () => this.#sayIfEnded(),
    () => this.#deps.outbox.roundOf("ledger", Date.now()),
    () => this.#deps.outbox.roundOf("events", Date.now()),
    () => this.#deps.outbox.roundOf("d1", Date.now()),
  ];

  async round(): Promise<Round> {
    const { store, redials, appends, dispatcher } = this.#deps;
    if (store.campaign.existing.importing) return this.#watchImport();
    const redialled = redials.round(Date.now());
    const watchAt = (await appends.round()) ? Date.now() + IMPORT_WATCH_MS : null;
    const { worked, wakeAt } = await dispatcher.round();
    return { worked: worked || redialled, wakeAt: earliest([wakeAt, watchAt]) };
  }

  async #sayIfEnded(): Promise<null> {
    const { claims, store } = this.#deps;
    await claims.sayIfEnded(store.campaign.row);
    return null;
  }

  async #watchImport(): Promise<Round> {
    const { guard, claims } = this.#deps;
    if (guard.is("importing")) await claims.keepUpload();
    if (guard.is("importing")) return { worked: false, wakeAt: Date.now() + IMPORT_WATCH_MS };
    // Erase an upload that was interrupted, or that failed while D1 was unavailable.
    await abandon(this.#deps);
    await claims.uploaded();
    await claims.listed();
    return { worked: false, wakeAt: null };
  }
}
