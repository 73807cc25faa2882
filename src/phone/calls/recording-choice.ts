import { keepsAudio, type StoragePolicy } from "../../records/privacy/redaction/storage-policy.ts";
import type { CallSettings } from "../call-settings/settings.ts";
import type { RecordingOrder } from "../carriers/carrier.ts";

/** The recording settings of a call and its campaign; null to use the next level's. */
interface RecordingWishes {
  call: boolean | null;
  campaign: boolean | null;
}

/**
 * Decides whether a call is recorded. The call's own setting applies first, then its campaign's, then the account's for
 * its direction. It is never recorded if the agent's conversations are redacted or not stored.
 */
export function isRecorded(
  direction: "outbound" | "inbound",
  { call, campaign }: RecordingWishes,
  { record_outbound, record_inbound }: Pick<CallSettings, "record_outbound" | "record_inbound">,
  agent: Pick<StoragePolicy, "storage">,
): boolean {
  if (!keepsAudio(agent)) return false;
  return call ?? campaign ?? (direction === "outbound" ? record_outbound : record_inbound);
}

/** Returns the recording order for the carrier. Without recording there is no announcement. */
export function recordingOf(
  recorded: boolean,
  { recording_announcement }: Pick<CallSettings, "recording_announcement">,
): RecordingOrder | null {
  return recorded ? { announcement: recording_announcement } : null;
}
