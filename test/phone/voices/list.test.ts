import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { OfferedVoice } from "../../../src/phone/voices/carrier-voices.ts";
import { carrierVoices } from "../../../src/phone/voices/carrier-voices.ts";
import { type Tenant, tenant } from "../../support/client.ts";
import { cartesiaVoice, DEEPGRAM_MODELS, elevenLabsVoice } from "./pages.ts";
import { connect, vendors } from "./support.ts";

interface Listed {
  voices: OfferedVoice[];
  unavailable: { voice_provider: string; reason: string }[];
}
const list = async ({ server }: Tenant, query = "") => {
  const { status, body } = await server.get<Listed>(`/api/v1/voices${query}`);
  expect(status).toBe(200);
  return body;
};

afterEach(() => vi.restoreAllMocks());

describe("the list of voices", () => {
  it("contains the carriers' own voices if no integration is ready", async () => {
    const asked = vendors(() => undefined);
    const { voices, unavailable } = await list(await tenant(), "?provider=cartesia&language=de-AT");
    expect(voices).toMatchObject([
      { voice_provider: "cartesia", voice_id: "", name: "Twilio's own voice", effective_on: ["twilio"] },
      { voice_provider: "cartesia", voice_id: "", name: "Amazon Polly Vicki", effective_on: ["telnyx"] },
    ]);
    expect(unavailable).toEqual([]);
    expect(asked).toHaveLength(0);
  });

  it("contains the carriers' voices that speak the language of the region", async () => {
    const { voices } = await list(await tenant(), "?provider=elevenlabs&language=en-US");
    expect(voices.map(({ name }) => name)).toEqual(["Twilio's default voice of ElevenLabs", "Telnyx's own voice"]);
    expect((await list(await tenant(), "?provider=cartesia&language=yo-NG")).voices).toEqual([]);
  });

  it("contains no carrier's voice if a custom runtime speaks", () => {
    expect(carrierVoices({ VOICE_RUNTIME_URL: "wss://media.example/ws" }, "elevenlabs")).toEqual([]);
  });

  it("contains every page of Cartesia's list, requested with the account's key", async () => {
    const owner = await tenant();
    await connect(owner, "cartesia");
    const asked = vendors(({ url }) => {
      const after = new URL(url).searchParams.get("starting_after");
      const data =
        after === null ? [cartesiaVoice("a"), cartesiaVoice("b/é", "en")] : [cartesiaVoice("c", "xx-??", null)];
      return Response.json({
        data: after === null ? [...data, cartesiaVoice("b", "en", "masculine")] : data,
        has_more: after === null,
      });
    });
    const { voices } = await list(owner, "?provider=cartesia");
    expect(voices.map(({ voice_id, languages, gender }) => [voice_id, languages, gender])).toEqual([
      ["a", ["de"], "female"],
      ["b", ["en"], "male"],
      ["c", [], null],
    ]);
    expect(voices[0]).toMatchObject({ preview_url: null, effective_on: ["widget", "own_runtime"] });
    expect(asked.map(({ url }) => url)).toEqual([
      "https://api.cartesia.ai/voices?limit=100",
      "https://api.cartesia.ai/voices?limit=100&starting_after=b",
    ]);
    expect(asked[0]?.headers.get("authorization")).toBe("Bearer secret-key");
    expect(asked[0]?.headers.get("cartesia-version")).toBe("2025-11-04");
  });

  it("contains ElevenLabs' voices, which Twilio also speaks", async () => {
    const owner = await tenant();
    await connect(owner, "elevenlabs");
    const asked = vendors(({ url }) =>
      Response.json(
        url.includes("next_page_token=t%2B1")
          ? {
              voices: [elevenLabsVoice("two", { verified_languages: null, preview_url: "http://plain.example/x" })],
              has_more: false,
            }
          : {
              voices: [elevenLabsVoice("one"), { name: "without an id" }],
              has_more: true,
              next_page_token: "t+1",
              total_count: 2,
            },
      ),
    );
    const { voices } = await list(owner, "?provider=elevenlabs");
    expect(voices[0]).toEqual({
      voice_provider: "elevenlabs",
      voice_id: "one",
      name: "George",
      languages: ["en-GB", "de"],
      gender: "male",
      preview_url: "https://storage.example/george.mp3",
      effective_on: ["twilio", "widget", "own_runtime"],
    });
    expect(voices[1]).toMatchObject({ voice_id: "two", preview_url: null });
    expect(voices[1]?.languages).toHaveLength(32);
    expect(asked[0]?.headers.get("xi-api-key")).toBe("secret-key");
  });

  it("contains Deepgram's speech models, filtered by language", async () => {
    const owner = await tenant();
    await connect(owner, "deepgram");
    vendors(() => Response.json(DEEPGRAM_MODELS));
    const { voices } = await list(owner, "?provider=deepgram&language=de-CH");
    expect(voices.map(({ voice_id, languages }) => [voice_id, languages])).toEqual([
      ["aura-2-viktoria-de", ["de", "de-DE"]],
    ]);
  });

  it("the list of voices is requested once an hour, or again with another key", async () => {
    const owner = await tenant();
    await connect(owner, "deepgram");
    const asked = vendors(() => Response.json(DEEPGRAM_MODELS));
    await list(owner, "?provider=deepgram");
    await list(owner, "?provider=deepgram&language=de");
    expect(asked).toHaveLength(1);
    await connect(owner, "deepgram", "other-key");
    await list(owner, "?provider=deepgram");
    expect(asked.map(({ headers }) => headers.get("authorization"))).toEqual(["Token secret-key", "Token other-key"]);
  });

  it("another account does not get a list of voices from the cache", async () => {
    const [owner, stranger] = [await tenant(), await tenant()];
    await connect(owner, "cartesia");
    vendors(() => Response.json({ data: [cartesiaVoice("cloned")], has_more: false }));
    await list(owner, "?provider=cartesia");
    expect((await list(stranger, "?provider=cartesia")).voices.map(({ voice_id }) => voice_id)).not.toContain("cloned");
  });

  it.each([
    ["HTML", () => new Response("<html>Sign in</html>"), "Deepgram did not send a list of voices"],
    ["an error", () => new Response("secret-key", { status: 500 }), "Deepgram refused the request (500)"],
    ["a redirect", () => Response.redirect("https://evil.example/", 302), "Deepgram refused the request (302)"],
    ["a list without end", () => new Response(endless()), "Deepgram did not send a list of voices"],
    ["another shape", () => Response.json({ tts: "none" }), "Deepgram did not send a list of voices"],
  ])("omits a vendor that sends %s, and reports it", async (_, answer, reason) => {
    const owner = await tenant();
    await connect(owner, "deepgram");
    vendors(answer);
    const { voices, unavailable } = await list(owner);
    expect(unavailable).toEqual([{ voice_provider: "deepgram", reason }]);
    expect(new Set(voices.map(({ voice_provider }) => voice_provider))).toEqual(new Set(["cartesia", "elevenlabs"]));
  });

  it("ends after ten pages of a vendor whose list never ends", async () => {
    const owner = await tenant();
    await connect(owner, "cartesia");
    let page = 0;
    const asked = vendors(() => Response.json({ data: [cartesiaVoice(`v${page++}`)], has_more: true }));
    expect((await list(owner, "?provider=cartesia")).voices).toHaveLength(10);
    expect(asked).toHaveLength(10);
  });

  it("the list of voices is refused for an unknown provider or language", async () => {
    const { server } = await tenant();
    expect((await server.get("/api/v1/voices?provider=acme")).status).toBe(400);
    expect((await server.get("/api/v1/voices?language=german")).status).toBe(400);
  });

  it("agrees with the effect of the settings for each voice", async () => {
    const owner = await tenant();
    await connect(owner, "elevenlabs");
    await connect(owner, "deepgram");
    vendors(({ url }) =>
      Response.json(url.includes("deepgram") ? DEEPGRAM_MODELS : { voices: [elevenLabsVoice("one")], has_more: false }),
    );
    const { voices } = await list(owner);
    for (const provider of ["elevenlabs", "deepgram"] as const) {
      const voice = voices.find(({ voice_provider }) => voice_provider === provider);
      const { voice_provider, voice_id } = voice ?? {};
      const { body: agent } = await owner.server.post<{ id: string }>("/api/v1/agents", {
        name: "A",
        voice_provider,
        voice_id,
      });
      for (const channel of ["twilio", "telnyx", "sandbox", "own_runtime"] as const) {
        const { body } = await owner.server.get<{ settings: { field: string; effective: boolean }[] }>(
          `/api/v1/agents/${agent.id}/effect?channel=${channel}`,
        );
        const { effective } = body.settings.find(({ field }) => field === "voice_id") ?? {};
        expect([provider, channel, effective]).toEqual([provider, channel, voice?.effective_on.includes(channel)]);
      }
    }
    expect(env.VOICE_RUNTIME_URL).toBe("");
  });
});

function endless(): ReadableStream {
  return new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024).fill(32)) });
}
