import { type Carrier, type Recording, RecordingRefused } from "../carriers/carrier.ts";
import { audioType, storeAudio } from "./audio-store.ts";

/** Timeout of the audio once it has begun, ms: with the wait before it, less than an alarm may last. */
const DOWNLOAD_TIMEOUT_MS = 480_000;
/** Largest audio that is ingested, bytes: 100 MB. */
const MAX_AUDIO_BYTES = 100 * 1024 * 1024;

/** The properties of stored audio. */
export interface Audio {
  size: number;
  contentType: string;
}

/**
 * Fetches a recording from its carrier into R2. @throws RecordingRefused if it can never be fetched, anything else if
 * not now; R2 is unchanged then
 */
export async function fetchAudio(
  bucket: R2Bucket,
  carrier: Carrier,
  recording: Recording,
  key: string,
  timeoutMs = DOWNLOAD_TIMEOUT_MS,
): Promise<Audio> {
  const audio = await carrier.fetchRecording(recording);
  if (!audio.ok) {
    await audio.body?.cancel();
    throw new TypeError(`the carrier answered ${audio.status}`);
  }
  const contentType = audioType(audio.headers.get("content-type")) ?? audioType(recording.content_type) ?? "audio/wav";
  if (Number(audio.headers.get("content-length")) > MAX_AUDIO_BYTES) {
    await audio.body?.cancel();
    throw tooLong();
  }
  const body = audio.body && bounded(audio.body, timeoutMs);
  const response = new Response(body, { headers: audio.headers });
  return { size: await storeAudio(bucket, key, response, contentType), contentType };
}

const tooLong = () => new RecordingRefused("the recording is longer than 100 MB");

/** The stream, which fails if it is too long or too slow. A pipe's own signal does not end a silent stream. */
function bounded(stream: ReadableStream<Uint8Array>, timeoutMs: number): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  let bytes = 0;
  let timer: ReturnType<typeof setTimeout>;
  let late = false;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      timer = setTimeout(() => {
        late = true;
        controller.error(new TypeError("the audio arrived too slowly"));
        reader.cancel().catch(() => undefined);
      }, timeoutMs);
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (late) return;
        bytes += value?.length ?? 0;
        if (!done && bytes <= MAX_AUDIO_BYTES) return controller.enqueue(value);
        clearTimeout(timer);
        if (done) return controller.close();
        controller.error(tooLong());
        reader.cancel().catch(() => undefined);
      } catch (error) {
        clearTimeout(timer);
        if (!late) controller.error(error);
      }
    },
    async cancel(reason) {
      clearTimeout(timer);
      await reader.cancel(reason);
    },
  });
}
