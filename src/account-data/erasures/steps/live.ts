import { z } from "zod";
import { logError } from "../../../kernel/log.ts";
import { endUnsettled } from "../../../phone/calls/end-unsettled.ts";
import { hangUpCall } from "../../../phone/calls/hang-up.ts";
import { type ErasureContext, step } from "../step.ts";

/** The number of the person's live calls read at a time. */
const AT_ONCE = 20;

/**
 * Hangs up the person's calls, including those being placed, and waits until they have ended. If a call's carrier
 * cannot be asked, the call is ended as unknown after its time limit, so that it does not block the erasure.
 */
export const hangUpLive = step(z.null(), async (work) => {
  for (const id of await live(work)) {
    const context = { env: work.env, store: work.store, now: Date.now() };
    if (await endUnsettled(context, id)) continue;
    await hangUpCall(context, { id, skipRepeated: true }).catch((error: unknown) =>
      logError("erasure", error, { call_id: id }),
    );
  }
  return (await live(work)).length > 0 ? { next: null, wait: true } : { next: null };
});

async function live({ ledger, subject }: ErasureContext): Promise<string[]> {
  const found = await Promise.all((await ledger.volumes()).map((volume) => volume.liveCallsOf(subject, AT_ONCE)));
  return found.flat();
}
