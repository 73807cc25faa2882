import { exports } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { PREVIEWS_AN_HOUR } from "../../../src/phone/voices/contract.ts";
import { apiKey, BASE, type Tenant, tenant } from "../../support/client.ts";
import { DEEPGRAM_MODELS } from "./pages.ts";
import { connect, MP3, mp3, vendors } from "./support.ts";

const VIKTORIA = { voice_provider: "deepgram", voice_id: "aura-2-viktoria-de", language: "de-AT" };
const isList = ({ url }: { url: string }) => url.endsWith("/v1/models");
/** Simulates Deepgram with this response to speech requests. */
const deepgram = (speak: () => Response | Promise<Response> = () => mp3()) =>
  vendors((request) => (isList(request) ? Response.json(DEEPGRAM_MODELS) : speak()));

async function connected(): Promise<Tenant> {
  const owner = await tenant();
  await connect(owner, "deepgram");
  return owner;
}

afterEach(() => vi.restoreAllMocks());

describe("a preview of a voice", () => {
  it("a preview of a voice is the vendor's mp3 of a sentence in the language", async () => {
    const { server } = await connected();
    const asked = deepgram();
    const response = await exports.default.fetch(
      new Request(`${BASE}/api/v1/voices/preview`, {
        method: "POST",
        headers: { "content-type": "application/json", ...server.headers },
        body: JSON.stringify(VIKTORIA),
      }),
    );
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("audio/mpeg");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(MP3);
    const [, spoken] = asked;
    expect(spoken?.url).toBe("https://api.deepgram.com/v1/speak?model=aura-2-viktoria-de&encoding=mp3");
    expect(JSON.parse(spoken?.body ?? "")).toEqual({ text: "Guten Tag, wie kann ich Ihnen heute helfen?" });
  });

  it("a preview in a language that the voice lacks is refused without a request for speech", async () => {
    const { server } = await connected();
    const asked = deepgram();
    const { status, code } = await server.post("/api/v1/voices/preview", { ...VIKTORIA, language: "fr-FR" });
    expect([status, code]).toEqual([400, "voice_lacks_language"]);
    expect(asked.every(isList)).toBe(true);
  });

  it("a preview is refused if the integration is not ready", async () => {
    const { server } = await tenant();
    const { status, body } = await server.post("/api/v1/voices/preview", VIKTORIA);
    expect(status).toBe(409);
    expect(body).toBe("the integration deepgram is not installed");
  });

  it.each([
    ["", "no_voice"],
    ["../projects", "invalid_request"],
    ["..", "invalid_request"],
    ["a\u0000b", "invalid_request"],
  ])("a preview is refused for the voice id %j", async (voice_id, expected) => {
    const { server } = await connected();
    const asked = deepgram();
    const { status, code } = await server.post("/api/v1/voices/preview", { ...VIKTORIA, voice_id });
    expect([status, code]).toEqual([400, expected]);
    expect(asked).toHaveLength(0);
  });

  it.each([
    ["sends HTML", () => new Response("<html>"), 502, "voice_unavailable"],
    ["fails", () => new Response("secret-key", { status: 500 }), 502, "voice_unavailable"],
    ["has too many requests", () => new Response("", { status: 429 }), 502, "voice_unavailable"],
    ["cannot be reached", () => Promise.reject(new TypeError("down")), 502, "voice_unavailable"],
    ["refuses the key", () => new Response("", { status: 401 }), 409, "voice_key_refused"],
    ["does not know the voice", () => new Response("", { status: 404 }), 400, "voice_refused"],
  ])("a preview is an error if the vendor %s", async (_, speak, status, code) => {
    const { server } = await connected();
    deepgram(speak);
    const answer = await server.post("/api/v1/voices/preview", VIKTORIA);
    expect([answer.status, answer.code]).toEqual([status, code]);
    expect(JSON.stringify(answer.body)).not.toContain("secret-key");
  });

  it("a preview is spoken even if the vendor's list fails", async () => {
    const { server } = await connected();
    vendors((request) => (isList(request) ? new Response("", { status: 403 }) : mp3()));
    expect((await server.post("/api/v1/voices/preview", VIKTORIA)).status).toBe(200);
  });

  it("a preview can be requested thirty times an hour per account", async () => {
    const { server, user } = await connected();
    deepgram();
    for (let i = 0; i < PREVIEWS_AN_HOUR; i++)
      expect((await (i % 2 ? server : user).post("/api/v1/voices/preview", VIKTORIA)).status).toBe(200);
    const { status, code, headers } = await server.post("/api/v1/voices/preview", VIKTORIA);
    expect([status, code]).toEqual([429, "too_many_previews"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(3_000);
  });

  it("a preview is not stored under an idempotency key", async () => {
    const { server } = await connected();
    const asked = deepgram();
    const again = () =>
      server.send("POST", "/api/v1/voices/preview", JSON.stringify(VIKTORIA), {
        "content-type": "application/json",
        "idempotency-key": "one",
      });
    expect((await again()).status).toBe(200);
    expect((await again()).code).toBe("idempotency_answer_not_kept");
    expect(asked.filter((request) => !isList(request))).toHaveLength(1);
  });

  it("a preview requires the scope build", async () => {
    const owner = await connected();
    const { server: reader } = await apiKey(owner.user, { scopes: ["read"] });
    expect((await reader.post("/api/v1/voices/preview", VIKTORIA)).status).toBe(403);
  });
});

describe("the voice id of an agent", () => {
  it.each(["../x", "a/b", "a\\b", "..", " . ", "a\nb"])(
    "an agent's voice id is refused as %j wherever it is set",
    async (voice_id) => {
      const { server } = await tenant();
      const created = await server.post("/api/v1/agents", { name: "A", voice_id });
      expect([created.status, created.body]).toEqual([400, expect.stringMatching(/^voice_id: must be a voice's id/)]);
      const { body } = await server.post<{ id: string }>("/api/v1/agents", {
        name: "A",
        voice_id: "JBFqnCBsd6RMkjVDRZzb",
      });
      expect((await server.patch(`/api/v1/agents/${body.id}`, { voice_id })).status).toBe(400);
    },
  );
});
