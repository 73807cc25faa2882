import { earliest } from "../../kernel/durable/alarm.ts";
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

/** Returns the part that dials, and finishes or undoes work that takes longer than a request. */
export function upkeepPart(deps: Dependencies): RemindedPart {
  const resumeAt = (now: number, armedAt: number | null) => continueAt(deps, now, armedAt);
  return new RemindedPart(() => upkeepRound(deps), { retry: PROMPT_RETRY, resumeAt });
}

function continueAt({ store }: Dependencies, now: number, armedAt: number | null): number {
  lookAtAllCalls(store, now);
  // An interrupted append is undone at once, because the campaign can't be started before that.
  const undoAt = store.campaign.row?.append_after == null ? null : now;
  return earliest([armedAt, store.attempts.nextLookAt(), undoAt]) ?? now;
}

/** Returns when to continue, ms. */
async function upkeepRound(deps: Dependencies): Promise<number | null> {
  const { store, redials, appends, dispatcher } = deps;
  const { importing, redial, append_after } = store.campaign.existing;
  if (importing) return watchImport(deps);
  if (redial !== null) redials.round(Date.now());
  const watchAt = append_after !== null && (await appends.round()) ? Date.now() + IMPORT_WATCH_MS : null;
  const { worked, wakeAt } = await dispatcher.round();
  return worked || redial !== null ? Date.now() : earliest([wakeAt, watchAt]);
}

async function watchImport(deps: Dependencies): Promise<number | null> {
  const { guard, claims } = deps;
  if (guard.is("importing")) await claims.keepUpload();
  if (guard.is("importing")) return Date.now() + IMPORT_WATCH_MS;
  // Erases an upload that was interrupted, or that failed while D1 was unavailable.
  await abandon(deps);
  await claims.uploaded();
  await claims.listed();
  return null;
}
