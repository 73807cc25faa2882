import { createMemo, untrack } from "solid-js";
import type { Body } from "../../api/client.ts";
import { may } from "../../api/may.ts";
import { callById, recordingById } from "../../api/records.ts";
import { useQuery } from "../../api/use-query.ts";
import { access, conversations as t } from "../../texts/index.ts";
import { now } from "../../ui/now.ts";
import { createPlayer } from "../../ui/player.tsx";
import type { Playback } from "./transcript.tsx";

type Conversation = Body<"Conversation">;

const AWAITED_MS = 180_000;
const REFETCH_INTERVAL_MS = 3_000;

/** Returns the recording of a conversation's call, or a sentence that says why there is none. */
export function useRecording(conversation: () => Conversation) {
  const callId = () => conversation().call_id;
  const isAwaited = (call: Body<"Call"> | undefined) =>
    call?.recorded === true &&
    call.recording_id === null &&
    (call.ended_at === null || now() - Date.parse(call.ended_at) < AWAITED_MS);
  const call = useQuery(() => ({
    ...callById(callId() ?? ""),
    enabled: callId() !== null,
    refetchInterval: ({ state }) => (isAwaited(state.data) ? REFETCH_INTERVAL_MS : false),
  }));
  const found = () => call.data;
  const recordingId = () => found()?.recording_id ?? null;
  const recording = useQuery(() => ({
    ...recordingById(recordingId() ?? ""),
    enabled: recordingId() !== null && may("getRecordingUrl"),
  }));

  const ready = createMemo(() => recording.data?.id);
  // Creates only one player per recording, however often its record is refetched.
  const playback = createMemo((): Playback | undefined => {
    if (ready() === undefined) return undefined;
    return untrack(() => {
      const from = found()?.connected_at ?? conversation().started_at;
      const record = recording.data;
      return record && { player: createPlayer(record), from };
    });
  });

  const missing = (): string | undefined => {
    if (callId() === null) return t.recording.callsOnly;
    const callRecord = found();
    if (!callRecord) return call.isLoadingError ? t.recording.none : undefined;
    if (callRecord.recording_id !== null && !may("getRecordingUrl")) return access.hidden;
    if (callRecord.recording_id !== null) return recording.isLoadingError ? t.recording.none : undefined;
    if (!callRecord.recorded) return t.recording.notRecorded;
    if (callRecord.ended_at === null) return t.recording.later;
    return isAwaited(callRecord) ? t.recording.awaited : t.recording.none;
  };
  return { playback, missing };
}
