import { earliest } from "../../kernel/durable/alarm.ts";
import type { ObjectPart } from "../../kernel/durable/object-part.ts";
import { PROMPT_RETRY } from "../../kernel/durable/part-failures.ts";
import { RemindedPart } from "../../kernel/durable/reminded-part.ts";
import type { CampaignContext } from "../context.ts";
import type { ContactAppend } from "../import/append.ts";
import { IMPORT_WATCH_MS } from "../import/watch.ts";
import type { Redials } from "../repair/redials.ts";
import { lookAtAllCalls } from "../store/call-transitions.ts";
import { abandon, type EraseContext } from "./erase.ts";

interface Dependencies extends EraseContext, Pick<CampaignContext, "guard" | "claims" | "dispatcher"> {
  appends: ContactAppend;
  redials: Redials;
}

/** Dials, and finishes or undoes work that takes longer than a request. */
export class Upkeep implements ObjectPart {
  readonly retry = PROMPT_RETRY;
  readonly #deps: Dependencies;
  readonly #reminded = new RemindedPart(() => this.#round());

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Schedules a run at `at`, ms, or earlier. The caller must then set the object's alarm. */
  remind(at: number): void {
    this.#reminded.remind(at);
  }

  dueAt(): number | null {
    return this.#reminded.dueAt();
  }

  run(now: number, until: number): Promise<void> {
    return this.#reminded.run(now, until);
  }

  resume(now: number, armedAt: number | null): void {
    const { store } = this.#deps;
    lookAtAllCalls(store, now);
    // An interrupted append is undone at once, because until then the campaign can't be started.
    const undoAt = store.campaign.row?.append_after == null ? null : now;
    this.remind(earliest([armedAt, store.attempts.nextLookAt(), undoAt]) ?? now);
  }

  /** Returns when to continue, ms. */
  async #round(): Promise<number | null> {
    const { store, redials, appends, dispatcher } = this.#deps;
    if (store.campaign.existing.importing) return this.#watchImport();
    const redialled = redials.round(Date.now());
    const watchAt = (await appends.round()) ? Date.now() + IMPORT_WATCH_MS : null;
    const { worked, wakeAt } = await dispatcher.round();
    return worked || redialled ? Date.now() : earliest([wakeAt, watchAt]);
  }

  async #watchImport(): Promise<number | null> {
    const { guard, claims } = this.#deps;
    if (guard.is("importing")) await claims.keepUpload();
    if (guard.is("importing")) return Date.now() + IMPORT_WATCH_MS;
    // Erases an upload that was interrupted, or that failed while D1 was unavailable.
    await abandon(this.#deps);
    await claims.uploaded();
    await claims.listed();
    return null;
  }
}
