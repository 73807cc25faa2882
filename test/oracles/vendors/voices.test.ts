import Cartesia from "@cartesia/cartesia-js";
import { DeepgramClient } from "@deepgram/sdk";
import { ElevenLabsClient } from "@elevenlabs/elevenlabs-js";
import { describe, expect, it } from "vitest";
import { speak, speakRequest, type VoiceProvider } from "../../../src/agent/voices/vendors.ts";
import { listVoices } from "../../../src/agent/voices/voice-list.ts";
import { cartesiaVoice, DEEPGRAM_MODELS, elevenLabsVoice } from "../../phone/voices/pages.ts";

const ENV = {
  CARTESIA_API_URL: "https://cartesia.test",
  ELEVENLABS_API_URL: "https://elevenlabs.test",
  DEEPGRAM_API_URL: "https://deepgram.test",
};
const KEY = "k-1";
const TEXT = "Guten Tag.";
const MP3 = new Uint8Array([0xff, 0xfb, 0x90, 0x64]);

/** Creates a vendor that lists its voices on these pages and gives the same response to every other request. */
function vendor(...pages: object[]) {
  const asked: { url: string; key: string | null; version: string | null; body: unknown }[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { headers, method } = request;
    const key = headers.get("authorization") ?? headers.get("xi-api-key");
    const body = method === "GET" ? null : await request.json();
    asked.push({ url: request.url, key, version: headers.get("cartesia-version"), body });
    if (method === "GET") return Response.json(pages.shift());
    return new Response(MP3, { headers: { "content-type": "audio/mpeg" } });
  };
  return { asked, fetch };
}

/** Returns the service's request to a vendor, and its result. */
async function ours(provider: VoiceProvider, voice_id: string) {
  const { asked, fetch } = vendor();
  const request = speakRequest(ENV, provider, KEY, { voice_id, language: "de-DE", text: TEXT });
  if (request === null) throw new Error("no request");
  const bytes = await new Response(await speak(ENV, provider, request, { fetch })).bytes();
  return { asked: asked[0], bytes };
}

const parts = (url = "") => {
  const { origin, pathname, searchParams } = new URL(url);
  return { origin, pathname, query: Object.fromEntries(searchParams) };
};
const sameRequest = (mine: { url: string } | undefined, theirs: { url: string } | undefined) => {
  expect(Object.assign({}, mine, { url: parts(mine?.url) })).toEqual(
    Object.assign({}, theirs, { url: parts(theirs?.url) }),
  );
};

describe("speech is requested as the vendor's library requests it", () => {
  it("from Cartesia", async () => {
    const { asked, fetch } = vendor();
    const client = new Cartesia({ apiKey: KEY, baseURL: ENV.CARTESIA_API_URL, fetch });
    const response = await client.tts.generate({
      model_id: "sonic-3.5",
      transcript: TEXT,
      voice: { mode: "id", id: "v-1" },
      language: "de",
      output_format: { container: "mp3", sample_rate: 44_100, bit_rate: 128_000 },
    });
    const mine = await ours("cartesia", "v-1");
    sameRequest(mine.asked, asked[0]);
    expect(mine.bytes).toEqual(await response.bytes());
  });

  it("from ElevenLabs", async () => {
    const { asked, fetch } = vendor();
    const client = new ElevenLabsClient({ apiKey: KEY, baseUrl: ENV.ELEVENLABS_API_URL, fetch });
    const stream = await client.textToSpeech.stream("v-1", {
      text: TEXT,
      modelId: "eleven_flash_v2_5",
      languageCode: "de",
      outputFormat: "mp3_44100_128",
    });
    const mine = await ours("elevenlabs", "v-1");
    sameRequest(mine.asked, asked[0]);
    expect(mine.bytes).toEqual(await new Response(stream).bytes());
  });

  it("from Deepgram", async () => {
    const { asked, fetch } = vendor();
    const client = new DeepgramClient({ apiKey: KEY, baseUrl: ENV.DEEPGRAM_API_URL, fetch });
    const response = await client.speak.v1.audio.generate({
      text: TEXT,
      model: "aura-2-viktoria-de",
      encoding: "mp3",
    });
    const mine = await ours("deepgram", "aura-2-viktoria-de");
    sameRequest(mine.asked, asked[0]);
    expect(mine.bytes).toEqual(new Uint8Array(await response.arrayBuffer()));
  });
});

describe("the list of voices is read as the vendor's library reads it", () => {
  const listed = async (provider: VoiceProvider, ...pages: object[]) =>
    (await listVoices(ENV, provider, KEY, vendor(...pages))).map(({ voice_id, name }) => [voice_id, name]);

  it("of Cartesia", async () => {
    const voices: Cartesia.Voice[] = Array.from({ length: 101 }, (_, n) =>
      Object.assign(cartesiaVoice(`v-${n}`), { gender: "feminine" as const }),
    );
    const pages = () => [{ data: voices.slice(0, 100) }, { data: voices.slice(100) }, { data: [] }];
    const theirs = vendor(...pages());
    const client = new Cartesia({ apiKey: KEY, baseURL: ENV.CARTESIA_API_URL, fetch: theirs.fetch });
    const found: string[] = [];
    for await (const { id } of client.voices.list({ limit: 100 })) found.push(id);
    const mine = vendor(...pages());
    expect((await listVoices(ENV, "cartesia", KEY, mine)).map(({ voice_id }) => voice_id)).toEqual(found);
    expect(mine.asked).toHaveLength(2);
    for (const [n, one] of mine.asked.entries()) sameRequest(one, theirs.asked[n]);
  });

  it("of ElevenLabs", async () => {
    const page = { voices: [elevenLabsVoice("a")], has_more: false, total_count: 1, next_page_token: null };
    const { asked, fetch } = vendor(page);
    const client = new ElevenLabsClient({ apiKey: KEY, baseUrl: ENV.ELEVENLABS_API_URL, fetch });
    const { voices } = await client.voices.search({ pageSize: 100 });
    expect(await listed("elevenlabs", page)).toEqual(voices.map(({ voiceId, name }) => [voiceId, name]));
    expect(parts(asked[0]?.url)).toMatchObject({ pathname: "/v2/voices", query: { page_size: "100" } });
  });

  it("of Deepgram", async () => {
    const { asked, fetch } = vendor(DEEPGRAM_MODELS);
    const client = new DeepgramClient({ apiKey: KEY, baseUrl: ENV.DEEPGRAM_API_URL, fetch });
    const { tts = [] } = await client.manage.v1.models.list();
    expect(await listed("deepgram", DEEPGRAM_MODELS)).toEqual(
      tts.map(({ canonical_name, name }) => [canonical_name, name]),
    );
    expect(parts(asked[0]?.url).pathname).toBe("/v1/models");
  });
});
