import { describe, expect, it, vi } from "vitest";
import {
  isVoiceId,
  speak,
  speakRequest,
  VOICE_PROVIDERS,
  type VoiceProvider,
} from "../../../src/agent/voices/vendors.ts";

const ENV = {
  CARTESIA_API_URL: "https://cartesia.test",
  ELEVENLABS_API_URL: "https://elevenlabs.test/",
  DEEPGRAM_API_URL: "https://deepgram.test",
};
const ask = (provider: VoiceProvider, voice_id: string, language = "de-AT") =>
  speakRequest(ENV, provider, "secret", { voice_id, language, text: "Guten Tag." });

describe("a request for speech", () => {
  it("requests an mp3 at 128 kbit/s from Cartesia", () => {
    const request = ask("cartesia", "f786b574-daa5-4673-aa0c-cbe3e8534c02");
    expect(request).toMatchObject({
      method: "POST",
      url: "https://cartesia.test/tts/bytes",
      headers: { authorization: "Bearer secret", "cartesia-version": "2025-11-04" },
    });
    expect(JSON.parse(request?.body ?? "")).toEqual({
      model_id: "sonic-3.5",
      transcript: "Guten Tag.",
      voice: { mode: "id", id: "f786b574-daa5-4673-aa0c-cbe3e8534c02" },
      language: "de",
      output_format: { container: "mp3", sample_rate: 44_100, bit_rate: 128_000 },
    });
  });

  it("requests a stream in the language from ElevenLabs", () => {
    const request = ask("elevenlabs", "JBFqnCBsd6RMkjVDRZzb");
    expect(request?.url).toBe(
      "https://elevenlabs.test/v1/text-to-speech/JBFqnCBsd6RMkjVDRZzb/stream?output_format=mp3_44100_128",
    );
    expect(request?.headers["xi-api-key"]).toBe("secret");
    expect(JSON.parse(request?.body ?? "")).toEqual({
      text: "Guten Tag.",
      model_id: "eleven_flash_v2_5",
      language_code: "de",
    });
  });

  it("omits a language that ElevenLabs' model does not list", () => {
    expect(JSON.parse(ask("elevenlabs", "v", "ka-GE")?.body ?? "")).not.toHaveProperty("language_code");
  });

  it("names the model, which is the voice, to Deepgram", () => {
    const request = ask("deepgram", "aura-2-viktoria-de");
    expect(request?.url).toBe("https://deepgram.test/v1/speak?model=aura-2-viktoria-de&encoding=mp3");
    expect(request?.headers.authorization).toBe("Token secret");
    expect(JSON.parse(request?.body ?? "")).toEqual({ text: "Guten Tag." });
  });

  it("names Norwegian and Filipino as each vendor does", () => {
    const codes = (["nb-NO", "fil-PH"] as const).map((language) => [
      JSON.parse(ask("cartesia", "v", language)?.body ?? "").language,
      JSON.parse(ask("elevenlabs", "v", language)?.body ?? "").language_code,
    ]);
    expect(codes).toEqual([
      ["no", "no"],
      ["tl", "fil"],
    ]);
  });

  it.each(["a?b=c&d#e", "%2e%2e%2fv1", "a b", "ü:1", "model=x&callback=y"])(
    "a request for speech keeps the voice id %j within one segment",
    (voice) => {
      const elevenlabs = new URL(ask("elevenlabs", voice)?.url ?? "");
      expect(elevenlabs.pathname.split("/").map(decodeURIComponent)).toEqual([
        "",
        "v1",
        "text-to-speech",
        voice,
        "stream",
      ]);
      expect([...elevenlabs.searchParams.keys()]).toEqual(["output_format"]);
      expect([...new URL(ask("deepgram", voice)?.url ?? "").searchParams]).toEqual([
        ["model", voice],
        ["encoding", "mp3"],
      ]);
    },
  );

  it.each(["", "  ", "..", " . ", "../voices", "a/b", "a\\b", "a\nb", "a\u0000", "\ud800"])(
    "a request for speech is refused for the voice id %j",
    (voice) => {
      expect(VOICE_PROVIDERS.map((provider) => ask(provider, voice))).toEqual([null, null, null]);
    },
  );

  it("treats an empty voice id as the carrier's own voice", () => {
    expect(isVoiceId("")).toBe(true);
  });
});

describe("a vendor that speaks", () => {
  const request = ask("deepgram", "aura-2-thalia-en");
  const said = (answer: () => Response | Promise<Response>) =>
    request && speak(ENV, "deepgram", request, { fetch: async () => answer() });
  const mp3 = (body: BodyInit | null = new Uint8Array([0xff, 0xfb])) =>
    new Response(body, { headers: { "content-type": "audio/mpeg" } });

  it("a vendor's speech is passed on unread", async () => {
    const audio = await said(() => mp3());
    expect(new Uint8Array(await new Response(audio).arrayBuffer())).toEqual(new Uint8Array([0xff, 0xfb]));
  });

  it.each([
    ["HTML", () => new Response("<html>", { headers: { "content-type": "text/html" } }), "outage"],
    ["a redirect", () => Response.redirect("https://evil.test/", 302), "outage"],
    ["a refused key", () => new Response("secret", { status: 401 }), "key"],
    ["an unknown voice", () => new Response("secret", { status: 404 }), "voice"],
    ["too many requests", () => new Response("secret", { status: 429 }), "busy"],
    ["an error", () => new Response("secret", { status: 503 }), "outage"],
    [
      "no connection",
      () => {
        throw new TypeError("secret");
      },
      "outage",
    ],
  ])("a response of %s fails without a secret in the message", async (_, answer, failure) => {
    const failed = await said(answer)?.catch((error: unknown) => error);
    expect(failed).toMatchObject({ name: "VoiceUnavailable", failure, message: expect.stringMatching(/^Deepgram /) });
    expect(String(failed)).not.toContain("secret");
  });

  it("fails if it sends nothing for two seconds", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const failed = said(() => new Promise<Response>(() => {}))?.catch((error: unknown) => error);
      await vi.advanceTimersByTimeAsync(2_000);
      expect(await failed).toMatchObject({ failure: "outage", message: "Deepgram did not answer in time" });
    } finally {
      vi.useRealTimers();
    }
  });

  it("fails if its mp3 has more than 4 MB", async () => {
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024)) });
    const audio = await said(() => mp3(endless));
    await expect(new Response(audio).arrayBuffer()).rejects.toMatchObject({ reason: "too_large" });
  });

  it("fails if its mp3 breaks off", async () => {
    let sent = 0;
    const half = new ReadableStream({
      pull(controller) {
        if (sent++ === 0) controller.enqueue(new Uint8Array([0xff, 0xfb]));
        else controller.error(new Error("gone"));
      },
    });
    const audio = await said(() => mp3(half));
    await expect(new Response(audio).arrayBuffer()).rejects.toMatchObject({ reason: "broken" });
  });
});
