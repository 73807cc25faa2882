import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RecordingRefused } from "../../../src/phone/carriers/carrier.ts";
import { connectApi } from "../../../src/phone/carriers/http.ts";
import { storeAudio } from "../../../src/phone/recordings/audio-store.ts";
import { fetchAudio } from "../../../src/phone/recordings/fetch-audio.ts";
import { byteRange } from "../../../src/phone/recordings/routes.ts";
import { call, tenant } from "../../support/client.ts";
import { caller, originate } from "../calls/support.ts";
import { playbackPath, recordingOf } from "./support.ts";

const NONE = "0190b1a0-0000-7000-8000-000000000000";

describe("invalid requests for recordings", () => {
  it("an unknown recording answers 404", async () => {
    const { server } = await tenant();
    for (const id of [NONE, "nonsense"]) {
      expect((await server.get(`/api/v1/recordings/${id}`)).status).toBe(404);
      expect((await server.get(`/api/v1/recordings/${id}/url`)).status).toBe(404);
      expect((await server.delete(`/api/v1/recordings/${id}`)).status).toBe(404);
    }
  });

  it.each(["limit=0", "limit=101", "offset=x"])("listing recordings answers 400 for ?%s", async (query) => {
    const { server } = await tenant();
    expect((await server.get(`/api/v1/recordings?${query}`)).status).toBe(400);
  });

  it("a range outside the recording answers 416", async () => {
    const who = await caller();
    const { call_id } = (await originate(who, "+13035550110")).body;
    const path = await playbackPath(who.server, (await recordingOf(who.server, call_id)).id);
    const answer = await call("GET", path, { headers: { range: "bytes=5000-6000" } });
    expect([answer.status, answer.code]).toEqual([416, "range_not_satisfiable"]);
    expect(answer.headers.get("content-range")).toBe("bytes */4044");
  });
});

describe("fetching audio", () => {
  /** Returns the outcome of a recording whose carrier's network answers this way. */
  async function failure(wire: () => Promise<Response>) {
    const style = { name: "carrier", base: "https://api.carrier.example", recordingHosts: [], secrets: [] };
    const answers = { authorization: () => "", explain: () => ({}) };
    const api = connectApi({ fetch: wire, timeout_ms: 50 }, Object.assign(answers, style));
    const carrier = { fetchRecording: () => api.download("https://api.carrier.example/RE1.wav", true) };
    const source = { id: "RE1", url: "", duration_ms: null, content_type: "audio/wav" };
    const key = `failing/${crypto.randomUUID()}`;
    const error = await fetchAudio(env.RECORDINGS, carrier, source, key).then(
      () => expect.fail("it was stored"),
      (reason: unknown) => reason,
    );
    return { key, error };
  }
  const stalled = () => new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(4)) });

  it.each<[string, () => Promise<Response>]>([
    ["does not answer", () => Promise.reject(new TypeError("connection lost"))],
    ["has no such recording", async () => new Response("not here", { status: 404 })],
    ["sends nothing", async () => new Response(null)],
    ["breaks off", async () => new Response("half", { headers: { "content-length": "8" } })],
    ["stops sending", async () => new Response(stalled(), { headers: { "content-length": "8" } })],
    ["stops sending a large file", async () => new Response(stalled(), { headers: { "content-length": "8000000" } })],
    ["stops sending a file of unknown size", async () => new Response(stalled())],
  ])("fetching a recording fails if the carrier %s, and leaves nothing in storage", async (_, wire) => {
    const { key, error } = await failure(wire);
    expect(error).not.toBeInstanceOf(RecordingRefused);
    expect(await env.RECORDINGS.head(key)).toBeNull();
  });
});

describe("audio of unknown length", () => {
  it("audio of unknown length is stored in parts, byte for byte", async () => {
    const size = 9 * 1024 * 1024 + 7;
    let sent = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = new Uint8Array(Math.min(60_000, size - sent)).map((_, i) => (sent + i) % 251);
        sent += chunk.length;
        if (chunk.length > 0) controller.enqueue(chunk);
        if (sent === size) controller.close();
      },
    });
    const key = `parts/${crypto.randomUUID()}`;
    expect(await storeAudio(env.RECORDINGS, key, new Response(stream), "audio/wav")).toBe(size);
    const stored = new Uint8Array((await (await env.RECORDINGS.get(key))?.arrayBuffer()) ?? []);
    expect(stored.length).toBe(size);
    expect(stored.every((byte, i) => byte === i % 251)).toBe(true);
  });

  it("leaves nothing in storage when the stream breaks off", async () => {
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new TypeError("connection lost")),
    });
    const key = `broken/${crypto.randomUUID()}`;
    await expect(storeAudio(env.RECORDINGS, key, new Response(stream), "audio/wav")).rejects.toThrow();
    expect(await env.RECORDINGS.head(key)).toBeNull();
  });
});

describe("byteRange", () => {
  it("always lies within the file", () => {
    const place = fc.option(fc.integer({ min: 0, max: 2_000 }), { nil: "" as const });
    fc.assert(
      fc.property(place, place, fc.integer({ min: 0, max: 1_000 }), (first, last, size) => {
        const range = byteRange(`bytes=${first}-${last}`, size);
        if (range === null || range === "unsatisfiable") return;
        expect(range.offset).toBeGreaterThanOrEqual(0);
        expect(range.length).toBeGreaterThan(0);
        expect(range.offset + range.length).toBeLessThanOrEqual(size);
        if (first !== "") expect(range.offset).toBe(first);
      }),
    );
  });

  it("returns the whole file for a range that it does not understand", () => {
    for (const header of [null, "", "bytes=-", "bytes=5-2", "bytes=0-1,4-5", "lines=1-2", "bytes=x-"])
      expect(byteRange(header, 10)).toBeNull();
    for (const header of ["bytes=10-", "bytes=-0"]) expect(byteRange(header, 10)).toBe("unsatisfiable");
  });
});
