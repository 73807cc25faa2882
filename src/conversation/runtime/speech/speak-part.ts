import type { Context } from "hono";
import { openSecrets } from "../../../agent/integrations/stored-secrets.ts";
import { speak, speakRequest, VoiceUnavailable } from "../../../agent/voices/vendors.ts";
import { conversationObject } from "../../../kernel/durable/objects.ts";
import type { AppEnv, Bindings } from "../../../kernel/http/context.ts";
import { ApiError } from "../../../kernel/http/errors.ts";
import { countFailure, refuseBlocked } from "../../../kernel/http/failures.ts";
import { logError } from "../../../kernel/log.ts";
import { Vault } from "../../../kernel/secrets/vault.ts";
import { notAllowed, pageOf, requireOrigin } from "../../widget/cors.ts";
import { type GivenSpeech, refusedTicket } from "./agent-speech.ts";
import { pageMark, readTicket } from "./ticket.ts";

/** How long a vendor may take until the first byte of audio, ms. */
const FIRST_AUDIO_MS = 2_000;

const unspoken = () =>
  new ApiError(502, "speech_failed", "the vendor of the agent's voice sent no audio: let the browser speak");

/**
 * Streams the audio of the part with this ticket. The vendor's request is aborted when the listener leaves.
 * @throws ApiError 403, 429; 502 if no audio begins in time
 */
export async function speakPart(c: Context<AppEnv>, text: string): Promise<Response> {
  refuseBlocked(c, "authentication");
  const ticket = await readTicket(c.env.SIGNING_KEYS, text);
  if (ticket === null) {
    await countFailure(c, "authentication");
    throw refusedTicket();
  }
  const page = pageOf(c);
  if (page.origin !== undefined) {
    if ((await pageMark(requireOrigin(page))) !== ticket.page) throw notAllowed();
    page.letRead();
  }
  const conversation = conversationObject(c.env, ticket.account, ticket.key);
  const given = await conversation.giveSpeech(ticket.id);
  const over = (isSpoken: boolean) => c.executionCtx.waitUntil(conversation.speechOver(given.n, isSpoken));
  const audio = await beginAudio(c.env, given, { listener: c.req.raw.signal, over });
  return new Response(audio, {
    headers: { "content-type": "audio/mpeg", "cache-control": "no-store", "x-content-type-options": "nosniff" },
  });
}

interface Listening {
  /** Aborted when the listener leaves. */
  listener: AbortSignal;
  /** Called once when no more audio follows. */
  over(isSpoken: boolean): void;
}

/** Returns a part's audio once it has begun. @throws ApiError 502 */
async function beginAudio(env: Bindings, given: GivenSpeech, { listener, over }: Listening): Promise<ReadableStream> {
  const vendor = new AbortController();
  const stop = () => vendor.abort();
  listener.addEventListener("abort", stop, { once: true });
  const timer = setTimeout(stop, FIRST_AUDIO_MS);
  const end = (isSpoken: boolean) => {
    clearTimeout(timer);
    listener.removeEventListener("abort", stop);
    over(isSpoken);
  };
  try {
    const reader = (await askVendor(env, given, vendor.signal)).getReader();
    const first = await reader.read();
    if (first.done) throw new VoiceUnavailable("outage", "the vendor sent no audio");
    clearTimeout(timer);
    return passedOn(first.value, reader, () => end(true));
  } catch (error) {
    // A listener who left may have heard part of it.
    end(listener.aborted);
    logError("speech", error, { account: given.install.account });
    throw unspoken();
  }
}

async function askVendor(env: Bindings, given: GivenSpeech, signal: AbortSignal) {
  const { voice_provider, voice_id, text, language, install } = given;
  const { api_key = "" } = await openSecrets(new Vault(env.ENCRYPTION_KEYS), install);
  const request = speakRequest(env, voice_provider, api_key.trim(), { voice_id, language, text });
  if (request === null) throw new VoiceUnavailable("voice", "the agent's voice_id names no voice");
  return speak(env, voice_provider, request, { fetch: (...args) => fetch(...args), signal });
}

/** Passes the audio on, read only as fast as the listener takes it. */
function passedOn(
  first: Uint8Array,
  reader: ReadableStreamDefaultReader<Uint8Array>,
  end: () => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      start: (out) => out.enqueue(first),
      async pull(out) {
        try {
          const { done, value } = await reader.read();
          if (!done) return out.enqueue(value);
          end();
          out.close();
        } catch (error) {
          end();
          // An incomplete part must not pass for a complete one.
          out.error(error);
        }
      },
      async cancel() {
        end();
        await reader.cancel();
      },
    },
    { highWaterMark: 0 },
  );
}
