import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildModel } from "../../../src/conversation/runtime/models/build-model.ts";
import type { ModelPart } from "../../../src/conversation/runtime/models/model.ts";
import { type StandInModel, startStandInModel } from "../../../src/dev/stand-in-model.ts";

const KEY = "stand-in-key";
let server: StandInModel;
beforeAll(async () => {
  server = await startStandInModel({ key: KEY });
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
});

function model(kind: "openai" | "anthropic", api_key = KEY) {
  const base_url = kind === "openai" ? server.openai_url : server.anthropic_url;
  return buildModel({ kind, base_url, api_key, model: "stand-in", name: "stand-in", thinks: false }, fetch, Date.now);
}

async function answer(kind: "openai" | "anthropic", { key = KEY, signal = new AbortController().signal } = {}) {
  const parts: ModelPart[] = [];
  try {
    const request = {
      system: "",
      facts: "",
      messages: [{ role: "user" as const, text: "Hello?" }],
      tools: [],
      max_output_tokens: 1_000,
      signal,
    };
    for await (const part of model(kind, key).answer(request)) parts.push(part);
  } catch (error) {
    return { parts, error: error instanceof Error ? error.message : String(error) };
  }
  return { parts, error: null };
}

describe.each(["openai", "anthropic"] as const)("the stand-in for %s, over sockets", (kind) => {
  const usage = { type: "usage", input_tokens: 12, output_tokens: 7, cached_tokens: 0 };
  const textPart = (text: string) => ({ type: "text", text });

  it("answers as instructed, and reports when", async () => {
    const call = { id: "c1", name: "look_up", arguments: { order: "A-1" } };
    server.answers(({ body }) => ({
      steps: [{ say: String(body.model) }, { say: "!" }, { call }],
      first_ms: 30,
      between_ms: 5,
    }));
    expect(await answer(kind)).toEqual({
      parts: [textPart("stand-in"), textPart("!"), { type: "tool_call", call }, usage],
      error: null,
    });
    const [request] = server.requests;
    // Node's timers may be a millisecond early.
    expect((request?.first_token_at ?? 0) - (request?.received_at ?? 0)).toBeGreaterThanOrEqual(29);
    expect(request?.ended_at).toBeGreaterThanOrEqual(request?.first_token_at ?? Number.NaN);
    expect(request).toMatchObject({ api: kind, left: false });
  });

  it("refuses a wrong key, and fails, cuts off and garbles as instructed", async () => {
    const failed = (reason: string) => `${kind}/stand-in: ${reason}`;
    expect(await answer(kind, { key: "wrong" })).toEqual({
      parts: [],
      error: failed("the server answered 401 (invalid_api_key)"),
    });
    server.answers(() => ({ status: 500 }));
    expect(await answer(kind)).toEqual({ parts: [], error: failed("the server answered 500 (server_error)") });
    server.answers(() => ({ steps: [{ say: "Well, " }], end: "cut" }));
    expect(await answer(kind)).toEqual({ parts: [textPart("Well, ")], error: failed("the connection was lost") });
    server.answers(() => ({ steps: [{ say: "Well, " }, { raw: "data: }{\n\n" }] }));
    expect(await answer(kind)).toEqual({ parts: [textPart("Well, ")], error: failed("the answer is invalid") });
  });

  it("notices when a client stops listening", async () => {
    server.answers(() => ({ steps: [{ say: "Well, " }], end: "stall" }));
    const stop = new AbortController();
    const listening = answer(kind, { signal: stop.signal });
    await expect.poll(() => server.requests[0]?.first_token_at ?? null).not.toBeNull();
    stop.abort(new Error("interrupted"));
    expect((await listening).error).toBe("interrupted");
    await expect.poll(() => server.requests[0]?.left).toBe(true);
  });
});
