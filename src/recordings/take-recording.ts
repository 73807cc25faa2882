import { and, eq } from "drizzle-orm";
import { v7 as uuidv7 } from "uuid";
import type { Carrier, Recording } from "../carriers/carrier.ts";
import { type AccountStore, UniqueViolation } from "../db/account-store.ts";
import { calls, recordings } from "../db/schema/index.ts";
import type { Bindings } from "../http/context.ts";
import { ApiError } from "../http/errors.ts";
import { audioKey, storeAudio } from "./audio-store.ts";

/** The call a recording is of. */
export interface RecordedCall {
  call_id: string;
  agent_id: string;
  campaign_id: string | null;
}

/**
 * Takes over a recording that the carrier has ready; one that is here already is left as it is.
 * @throws ApiError 503 where it cannot be had now, so that the carrier reports it again
 */
export async function takeRecording(
  env: Bindings,
  store: AccountStore,
  carrier: Carrier,
  call: RecordedCall,
  recording: Recording,
  now: number,
): Promise<void> {
  const isIt = and(eq(recordings.call_id, call.call_id), eq(recordings.provider_recording_id, recording.id));
  const [[known]] = await store.read(store.select(recordings, { where: isIt, columns: ["id"] }));
  if (known) return;
  const id = uuidv7({ msecs: now });
  const key = audioKey(store.account, id);
  const { size, contentType } = await fetchAudio(env, carrier, recording, key);
  const row = {
    ...{ id, ...call, provider_recording_id: recording.id, content_type: contentType, size_bytes: size },
    ...{ duration_ms: recording.duration_ms, created_at: new Date(now).toISOString() },
  };
  try {
    await store.record(
      store.insert(recordings, row),
      store.update(calls, { recording_id: id }, eq(calls.id, call.call_id)),
    );
  } catch (error) {
    await env.RECORDINGS.delete(key);
    // The same report was taken by another request meanwhile.
    if (!(error instanceof UniqueViolation)) throw error;
  }
}

async function fetchAudio(env: Bindings, carrier: Carrier, recording: Recording, key: string) {
  try {
    const audio = await carrier.fetchRecording(recording);
    if (!audio.ok) throw new TypeError(`the carrier answered ${audio.status}`);
    const contentType =
      audioType(audio.headers.get("content-type")) ?? audioType(recording.content_type) ?? "audio/wav";
    return { size: await storeAudio(env.RECORDINGS, key, audio, contentType), contentType };
  } catch {
    throw new ApiError(503, "recording_unavailable", "the recording could not be fetched; report it again");
  }
}

/** A media type that is audio and nothing a browser would run. */
function audioType(type: string | null): string | undefined {
  return /^audio\/[\w.+-]+/.exec(type ?? "")?.[0];
}
