import { z } from "zod";
import { VaultUnavailable } from "../../../kernel/secrets/vault.ts";
import { CarrierRefusal, CarrierUncertain } from "../../../phone/carriers/carrier.ts";
import { carrierBy } from "../../../phone/telephony/line.ts";
import { type CarrierRecording, type ErasureContext, step } from "../step.ts";

/** The number of recordings deleted at carriers in one run. */
const AT_ONCE = 6;
const MOST_TRIES = 8;

/** Asks carriers to delete their own recordings of the person's calls. */
export const deleteAtCarriers = step(z.literal("more"), async (work) => {
  const due = work.carrierRecordings(AT_ONCE);
  const outcomes = await Promise.all(
    due.map(async (recording) => [recording, await deleted(work, recording)] as const),
  );
  const those = (wanted: Outcome) => outcomes.filter(([, outcome]) => outcome === wanted).map(([one]) => one);
  const [deletedOnes, kept, unanswered] = [those("deleted"), those("kept"), those("unanswered")];
  const given_up = unanswered.filter(({ tries }) => tries + 1 >= MOST_TRIES);
  const again = unanswered.filter((one) => !given_up.includes(one));
  const result = {
    counts: { carrier_recordings: deletedOnes.length, carrier_recordings_kept: kept.length + given_up.length },
    settled: [...deletedOnes, ...kept, ...given_up],
    tried: again,
    next: due.length === 0 ? null : "more",
  };
  return again.length > 0 ? Object.assign(result, { wait: true as const }) : result;
});

type Outcome = "deleted" | "kept" | "unanswered";

async function deleted(
  { env, store }: ErasureContext,
  { provider, credentials_id, source_id }: CarrierRecording,
): Promise<Outcome> {
  try {
    const carrier = await carrierBy(env, store, provider, credentials_id);
    if (carrier === null) return "kept";
    await carrier.deleteRecording(source_id);
    return "deleted";
  } catch (error) {
    if (error instanceof CarrierRefusal) return ["rate", "outage"].includes(error.reason) ? "unanswered" : "kept";
    // Credentials that cannot be decrypted now may become readable when the missing key is configured.
    if (error instanceof CarrierUncertain || error instanceof VaultUnavailable) return "unanswered";
    throw error;
  }
}
