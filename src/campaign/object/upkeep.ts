import { armNoLaterThan, earliest, nextAlarm } from "../../kernel/durable/alarm.ts";
import type { Round, Work } from "../../kernel/durable/alarm-loop.ts";
import type { CampaignContext } from "../context.ts";
import type { ContactAppend } from "../import/append.ts";
import { IMPORT_WATCH_MS } from "../import/watch.ts";
import type { Redials } from "../repair/redials.ts";
import { lookAtAllCalls } from "../store/call-transitions.ts";
import { type EraseContext, erase } from "./erase.ts";

interface Dependencies extends EraseContext, Pick<CampaignContext, "guard" | "claims" | "dispatcher" | "report"> {
  appends: ContactAppend;
  redials: Redials;
}

/** What the campaign does by its alarm: it dials, and finishes or undoes whatever takes more than a request. */
export class Upkeep implements Work {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Arms the alarm of a campaign whose object is built anew: it can be lost with its process. */
  async resume(now: number): Promise<void> {
    const { store, storage } = this.#deps;
    lookAtAllCalls(store, now);
    // An append whose process died is undone at once: until then the campaign cannot be started.
    const undoAt = store.campaign.row?.append_after == null ? null : now + 1;
    const due = nextAlarm([await storage.getAlarm(), store.attempts.nextLookAt(), undoAt], now + 1);
    await armNoLaterThan(storage, due ?? now + 1);
  }

  alive(): boolean {
    return this.#deps.store.campaign.row !== null;
  }

  report(error: unknown): void {
    this.#deps.report(error);
  }

  /** While D1 is away the campaign goes on; it is told everything afterwards. */
  async beside(): Promise<number | null> {
    const { claims, store, projection } = this.#deps;
    await claims.sayIfEnded(store.campaign.row);
    return projection.push(Date.now());
  }

  async round(): Promise<Round> {
    const { store, redials, appends, dispatcher } = this.#deps;
    if (store.campaign.known.importing) return this.#watchImport();
    const redialled = redials.round(Date.now());
    const watchAt = (await appends.round()) ? Date.now() + IMPORT_WATCH_MS : null;
    const { worked, wakeAt } = await dispatcher.round();
    return { worked: worked || redialled, wakeAt: earliest([wakeAt, watchAt]) };
  }

  async #watchImport(): Promise<Round> {
    const { guard, claims } = this.#deps;
    if (guard.is("importing")) await claims.keepUpload();
    if (guard.is("importing")) return { worked: false, wakeAt: Date.now() + IMPORT_WATCH_MS };
    // An upload whose process died, or that failed while D1 was away, leaves nothing behind.
    await erase(this.#deps);
    await claims.uploaded();
    return { worked: false, wakeAt: null };
  }
}
