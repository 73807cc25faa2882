import { afterEach, describe, expect, it, vi } from "vitest";
import { TIMERS } from "../../../src/conversation/runtime/models/timeouts.ts";
import { anthropicFrames, framesOf, openaiFrames } from "../../../src/dev/stand-in-frames.ts";
import type { Cost } from "../../../src/records/prices/cost.ts";
import { ask, conversing, hasEnded, livesWith, recordOnce } from "./conversing.ts";

afterEach(() => vi.restoreAllMocks());

const MAKERS = {
  LLM_BASE_URL: "",
  PLATFORM_MODELS: "",
  OPENAI_API_URL: "http://openai.test/v1",
  OPENAI_API_KEY: "sk-first",
  ANTHROPIC_API_URL: "http://anthropic.test/v1",
  ANTHROPIC_API_KEY: "sk-second",
};
const AGENT = { llm_model: "gpt-4o", fallback_model: "claude-3-5-sonnet", filler_after_ms: 0 };

/** Creates a call whose agent has models of two vendors; `first` answers for the first vendor. */
async function ofTwo(first: (n: number) => Response, over = {}) {
  const { call, socket } = await conversing(AGENT);
  await livesWith(call, call.call_id, Object.assign({}, MAKERS, over));
  vi.spyOn(console, "error").mockImplementation(() => {});
  const asked: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const host = new URL(String(input)).hostname;
    const n = asked.push(host);
    if (host === "openai.test") return first(n);
    return new Response(framesOf(anthropicFrames(), [{ say: "I am the second." }]).join(""));
  });
  return { call, socket, asked };
}

describe("the record of a conversation that its second model answered", () => {
  it("names both models with their tokens and failures, and contains the cost of each", async () => {
    const { call, socket, asked } = await ofTwo((n) =>
      n === 1
        ? new Response(framesOf(openaiFrames(), [{ say: "I am the first." }]).join(""))
        : new Response("{}", { status: 503 }),
    );
    expect(await ask(socket, "Who is there?")).toBe("I am the first.");
    expect(await ask(socket, "And now?")).toBe("I am the second.");
    expect(await ask(socket, "And now?")).toBe("I am the second.");
    expect(asked).toEqual(["openai.test", "openai.test", "anthropic.test", "anthropic.test"]);
    socket.close(1000);
    const record = await recordOnce(call, (found) => hasEnded(found) && found.cost !== null);
    const tokens = { cached_tokens: 0, model_errors: 0 };
    expect(record.usage).toMatchObject({ input_tokens: 36, output_tokens: 21 });
    expect(record.usage.models).toEqual([
      {
        model: "openai/gpt-4o",
        fallback: false,
        input_tokens: 12,
        output_tokens: 7,
        cached_tokens: 0,
        model_errors: 1,
      },
      Object.assign(
        { model: "anthropic/claude-sonnet-5", fallback: true, input_tokens: 24, output_tokens: 14 },
        tokens,
      ),
    ]);
    const { items } = record.cost as Cost;
    expect(items.flatMap(({ what }) => (what.startsWith("model/") ? [what] : []))).toEqual([
      "model/gpt-4o/input",
      "model/gpt-4o/output",
      "model/claude-sonnet-5/input",
      "model/claude-sonnet-5/output",
    ]);
    const { body } = await call.server.get(`/api/v1/conversations/${record.id}/trace`);
    expect(JSON.stringify(body)).toContain("switchboard.model.fallback");
    const [listed] = (await call.server.get<{ conversations: (typeof record)[] }>("/api/v1/conversations")).body
      .conversations;
    expect(listed?.usage.models).toEqual(record.usage.models);
  });

  it("charges only the second model if the first one has no key", async () => {
    const { call, socket, asked } = await ofTwo(() => new Response("{}", { status: 401 }), { OPENAI_API_KEY: "" });
    expect(await ask(socket, "Who is there?")).toBe("I am the second.");
    expect(asked).toEqual(["anthropic.test"]);
    socket.close(1000);
    const { cost } = await recordOnce(call, (found) => hasEnded(found) && found.cost !== null);
    expect((cost as Cost).items.flatMap(({ what }) => (what.startsWith("model/") ? [what] : []))).toEqual([
      "model/claude-sonnet-5/input",
      "model/claude-sonnet-5/output",
    ]);
  });

  it("has no list of models if the first model answered", async () => {
    const { call, socket } = await ofTwo(
      () => new Response(framesOf(openaiFrames(), [{ say: "I am the first." }]).join("")),
    );
    expect(await ask(socket, "Who is there?")).toBe("I am the first.");
    socket.close(1000);
    const record = await recordOnce(call, hasEnded);
    expect(record.usage).not.toHaveProperty("models");
  });

  it("contains the second model's answer if the first one is silent for four seconds", async () => {
    const { socket, asked } = await ofTwo(() => new Response(new ReadableStream()));
    const { after } = TIMERS;
    vi.spyOn(TIMERS, "after").mockImplementation((ms, run) => after(ms === 4_000 ? 0 : ms, run));
    const began = Date.now();
    vi.spyOn(TIMERS, "now", "get").mockImplementation(() => Date.now() + (Date.now() - began > 20 ? 4_000 : 0));
    expect(await ask(socket, "Who is there?")).toBe("I am the second.");
    expect(asked).toEqual(["openai.test", "anthropic.test"]);
  });
});
