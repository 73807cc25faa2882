import { EgressRefused } from "../../kernel/egress/open-out.ts";
import { type Carrier, type Recording, RecordingRefused } from "../carriers/carrier.ts";
import { MAX_RECORDING_BYTES } from "../carriers/http.ts";
import { audioType, storeAudio } from "./audio-store.ts";

export interface Audio {
  size: number;
  contentType: string;
}

/**
 * Fetches a recording from its carrier into R2, unless `signal` aborts it earlier. If this throws, R2 is unchanged.
 * @throws RecordingRefused if the recording can never be fetched, any other error if it may be fetched later
 */
export async function fetchAudio(
  bucket: R2Bucket,
  carrier: Pick<Carrier, "fetchRecording">,
  recording: Recording,
  key: string,
  signal?: AbortSignal,
): Promise<Audio> {
  const audio = await carrier.fetchRecording(recording);
  if (!audio.ok) {
    await audio.body?.cancel();
    throw new TypeError(`the carrier answered ${audio.status}`);
  }
  const contentType = audioType(audio.headers.get("content-type")) ?? audioType(recording.content_type) ?? "audio/wav";
  if (Number(audio.headers.get("content-length")) > MAX_RECORDING_BYTES) {
    await audio.body?.cancel();
    throw tooLong();
  }
  try {
    return { size: await storeAudio(bucket, key, signal ? until(signal, audio) : audio, contentType), contentType };
  } catch (error) {
    if (error instanceof EgressRefused && error.reason === "too_large") throw tooLong();
    throw error;
  }
}

/** Returns the response with a body that breaks off when the signal is aborted. */
function until(signal: AbortSignal, audio: Response): Response {
  const { status, headers, body } = audio;
  const bounded = body?.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal });
  return new Response(bounded ?? null, { status, headers });
}

const tooLong = () => new RecordingRefused("the recording is longer than 100 MB");
