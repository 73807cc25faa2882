import type { Carrier, Recording } from "../carriers/carrier.ts";
import { storeAudio } from "./audio-store.ts";

/** How long the audio may take to come once it has begun to, ms: with the wait before, less than an alarm may last. */
const PATIENCE = 480_000;

/** What is known of audio once it is stored. */
export interface Audio {
  size: number;
  contentType: string;
}

/** Fetches a recording from its carrier into R2. @throws where it cannot be had now; then R2 is as it was */
export async function fetchAudio(
  bucket: R2Bucket,
  carrier: Carrier,
  recording: Recording,
  key: string,
  patience = PATIENCE,
): Promise<Audio> {
  const audio = await carrier.fetchRecording(recording);
  if (!audio.ok) {
    await audio.body?.cancel();
    throw new TypeError(`the carrier answered ${audio.status}`);
  }
  const contentType = audioType(audio.headers.get("content-type")) ?? audioType(recording.content_type) ?? "audio/wav";
  const body = audio.body && inTime(audio.body, patience);
  const bounded = new Response(body, { headers: audio.headers });
  return { size: await storeAudio(bucket, key, bounded, contentType), contentType };
}

/** The stream, which fails where it has not come to its end in time. A pipe's own signal does not end a silent one. */
function inTime(stream: ReadableStream<Uint8Array>, patience: number): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  let timer: ReturnType<typeof setTimeout>;
  let late = false;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      timer = setTimeout(() => {
        late = true;
        controller.error(new TypeError("the audio came too slowly"));
        reader.cancel().catch(() => undefined);
      }, patience);
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (late) return;
        if (!done) return controller.enqueue(value);
        clearTimeout(timer);
        controller.close();
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

/** A media type that is audio and nothing a browser would run. */
function audioType(type: string | null): string | undefined {
  return /^audio\/[\w.+-]+/.exec(type ?? "")?.[0];
}
