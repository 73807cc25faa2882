import { keepsAudio, type StoragePolicy } from "../../records/privacy/redaction/storage-policy.ts";
import type { CallSettings } from "../call-settings/settings.ts";
import type { RecordingOrder } from "../carriers/carrier.ts";

/** The recording settings of a call and its campaign; null if they leave it to the next level. */
interface RecordingWishes {
  call: boolean | null;
  campaign: boolean | null;
}

/**
 * Whether a call is to be recorded: as the call itself says, else its campaign, else the account for its direction; but
 * never with an agent whose conversations are redacted or not stored.
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

/** The recording order for the carrier: without recording there is no announcement either. */
export function recordingOf(
  recorded: boolean,
  { recording_announcement }: Pick<CallSettings, "recording_announcement">,
): RecordingOrder | null {
  return recorded ? { announcement: recording_announcement } : null;
}
