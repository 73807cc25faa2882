import { z } from "zod";
import { logError } from "../../../kernel/log.ts";
import { hangUpCall } from "../../../phone/calls/hang-up.ts";
import { type Erasing, step } from "../step.ts";

/** Live calls of a person read at a time. */
const AT_ONCE = 20;

/** Hangs up the person's calls, those that are being placed too, and waits until they have ended. */
export const hangUpLive = step(z.null(), async (work) => {
  for (const id of await live(work)) {
    // One that cannot be hung up ends by its limit.
    await hangUpCall({ env: work.env, store: work.store, now: Date.now() }, { id }).catch((error: unknown) =>
      logError("erasure", error, { call_id: id }),
    );
  }
  return (await live(work)).length > 0 ? { next: null, wait: true } : { next: null };
});

async function live({ ledger, subject }: Erasing): Promise<string[]> {
  const found = await Promise.all((await ledger.volumes()).map((volume) => volume.liveCallsOf(subject, AT_ONCE)));
  return found.flat();
}
