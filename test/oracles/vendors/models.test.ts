import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildModel } from "../../../src/conversation/runtime/models/build-model.ts";
import { type StandInModel, startStandInModel } from "../../../src/dev/stand-in-model.ts";
import { CHOICES, request } from "../../conversation/runtime/models/support.ts";

let standIn: StandInModel;
beforeAll(async () => {
  standIn = await startStandInModel({ key: "k-1" });
  standIn.answers(() => ({ steps: [{ say: "One " }, { say: "moment." }, { call: CALL }] }));
});
afterAll(() => standIn.close());

const CALL = { id: "call_1", name: "look", arguments: { day: "Friday" } };
const PARAMETERS = { type: "object" as const, properties: { day: { type: "string" } } };
const LOOK = { name: "look", description: "Looks up a day.", parameters: PARAMETERS };

/** Returns the request that the service sends to a vendor with this conversation. */
async function sent(api: keyof typeof CHOICES) {
  const bodies: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (_, init) => {
    bodies.push(JSON.parse(String(init?.body)));
    return new Response(null, { status: 500 });
  };
  const model = buildModel(CHOICES[api], fetch, () => 0);
  const parts = model.answer(request({ tools: [LOOK] }))[Symbol.asyncIterator]();
  await parts.next().catch(() => undefined);
  return bodies[0];
}

describe("OpenAI's library", () => {
  const client = () => new OpenAI({ baseURL: standIn.openai_url, apiKey: "k-1" });
  const params: OpenAI.ChatCompletionCreateParamsStreaming = {
    model: "gpt-4o",
    stream: true,
    stream_options: { include_usage: true },
    max_completion_tokens: 700,
    messages: [
      { role: "system", content: "Be kind." },
      { role: "user", content: "Hello?" },
    ],
    tools: [{ type: "function", function: LOOK }],
  };

  it("reads words, tool calls and usage in the stand-in's stream", async () => {
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of await client().chat.completions.create(params)) chunks.push(chunk);
    const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
    expect(deltas.map(({ content }) => content ?? "").join("")).toBe("One moment.");
    const calls = deltas.flatMap(({ tool_calls }) => tool_calls ?? []);
    expect(calls[0]).toMatchObject({ id: "call_1", function: { name: "look" } });
    expect(calls.map((call) => call.function?.arguments ?? "").join("")).toBe(JSON.stringify(CALL.arguments));
    expect(chunks.at(-1)?.usage).toMatchObject({ prompt_tokens: 12, completion_tokens: 7 });
  });

  it("has a type for each field of the service's request", async () => {
    expect(await sent("openai")).toEqual(params);
  });
});

describe("Anthropic's library", () => {
  const client = () => new Anthropic({ baseURL: standIn.anthropic_url.replace(/\/v1$/, ""), apiKey: "k-1" });
  const params: Anthropic.MessageCreateParamsStreaming = {
    model: "claude-sonnet-5",
    stream: true,
    max_tokens: 700,
    thinking: { type: "disabled" },
    system: [{ type: "text", text: "Be kind.", cache_control: { type: "ephemeral" } }],
    messages: [{ role: "user", content: [{ type: "text", text: "Hello?", cache_control: { type: "ephemeral" } }] }],
    tools: [{ name: "look", description: "Looks up a day.", input_schema: PARAMETERS }],
  };

  it("reads words, tool calls and usage in the stand-in's stream", async () => {
    const message = await client().messages.stream(params).finalMessage();
    expect(message.content).toMatchObject([
      { type: "text", text: "One moment." },
      { type: "tool_use", id: "call_1", name: "look", input: CALL.arguments },
    ]);
    expect(message.usage).toMatchObject({ input_tokens: 12, output_tokens: 7 });
    expect(message.stop_reason).toBe("tool_use");
  });

  it("has a type for each field of the service's request", async () => {
    expect(await sent("anthropic")).toEqual(params);
  });
});
