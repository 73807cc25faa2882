import { describe, expect, it } from "vitest";
import type { ModelMessage, ModelRequest } from "../../../../src/conversation/runtime/models/model.ts";
import { type Api, answered, answering, CHOICES, request } from "./support.ts";

const look = { id: "c1", name: "look_up", arguments: { order: "A-1" } };
const TALK: ModelMessage[] = [
  { role: "agent", text: "Welcome!", tool_calls: [] },
  { role: "user", text: "Where is" },
  { role: "user", text: "my order?" },
  { role: "agent", text: "", tool_calls: [look] },
  { role: "tool", tool_call_id: "c1", name: "look_up", text: "on its way" },
  { role: "user", text: "Well? " },
];
const TOOL = { name: "look_up", description: "Finds an order.", parameters: { type: "object", properties: {} } };

async function sent(api: Api, over: Partial<ModelRequest>, choice = CHOICES[api]) {
  const { model, requests } = answering(api, [{ say: "Hi" }], choice);
  await answered(model, request(over));
  return requests[0]?.body ?? {};
}

describe("requests to OpenAI", () => {
  it("contain the conversation and the tools", async () => {
    expect(await sent("openai", { messages: TALK, tools: [TOOL] })).toEqual({
      model: "gpt-4o",
      max_completion_tokens: 700,
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        { role: "system", content: "Be kind." },
        { role: "assistant", content: "Welcome!" },
        { role: "user", content: "Where is\nmy order?" },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "c1", type: "function", function: { name: "look_up", arguments: '{"order":"A-1"}' } }],
        },
        { role: "tool", tool_call_id: "c1", content: "on its way" },
        { role: "user", content: "Well? " },
      ],
      tools: [{ type: "function", function: TOOL }],
    });
  });

  it("disable reasoning, and send no key if there is none", async () => {
    const choice = { ...CHOICES.openai, thinks: true, api_key: "", base_url: "http://127.0.0.1:11434/v1/" };
    const { model, requests } = answering("openai", [{ say: "Hi" }], choice);
    await answered(model);
    expect(requests[0]?.body.reasoning_effort).toBe("none");
    expect(requests[0]?.headers.has("authorization")).toBe(false);
    expect(requests[0]?.url).toBe("http://127.0.0.1:11434/v1/chat/completions");
  });
});

describe("requests to a server that speaks OpenAI's API", () => {
  it("send the output limit in the field that such servers know", async () => {
    const body = await sent("openai", {}, { ...CHOICES.openai, kind: "compatible" });
    expect(body.max_tokens).toBe(700);
    expect(body).not.toHaveProperty("max_completion_tokens");
  });
});

/** Makes Anthropic cache the request up to here. */
const CACHED = { type: "ephemeral" };

describe("requests to Anthropic", () => {
  it("contain the conversation turn by turn, starting with the user", async () => {
    expect(await sent("anthropic", { messages: TALK, tools: [TOOL] })).toEqual({
      model: "claude-sonnet-5",
      max_tokens: 700,
      system: [{ type: "text", text: "Be kind.", cache_control: CACHED }],
      stream: true,
      thinking: { type: "disabled" },
      messages: [
        { role: "user", content: [{ type: "text", text: "(The conversation begins.)" }] },
        { role: "assistant", content: [{ type: "text", text: "Welcome!" }] },
        { role: "user", content: [{ type: "text", text: "Where is\nmy order?" }] },
        { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "look_up", input: { order: "A-1" } }] },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "c1", content: "on its way" },
            { type: "text", text: "Well? ", cache_control: CACHED },
          ],
        },
      ],
      tools: [{ name: "look_up", description: "Finds an order.", input_schema: TOOL.parameters }],
    });
  });

  it("end with the user, and omit an empty system prompt", async () => {
    const body = await sent("anthropic", {
      system: " ",
      messages: [
        { role: "user", text: "Hi" },
        { role: "agent", text: "Hello.", tool_calls: [] },
        { role: "agent", text: "Still there?", tool_calls: [] },
      ],
    });
    expect(body).not.toHaveProperty("system");
    expect(body.messages).toEqual([
      { role: "user", content: [{ type: "text", text: "Hi" }] },
      { role: "assistant", content: [{ type: "text", text: "Hello.\nStill there?" }] },
      { role: "user", content: [{ type: "text", text: "(Silence.)", cache_control: CACHED }] },
    ]);
  });

  it("list the tools used before when no tool may be used any more", async () => {
    expect(await sent("anthropic", { messages: TALK })).toMatchObject({
      tools: [{ name: "look_up", input_schema: { type: "object" } }],
      tool_choice: { type: "none" },
    });
    expect(await sent("anthropic", {})).not.toHaveProperty("tools");
  });
});

describe("requests after an irregular conversation", () => {
  const messages: ModelMessage[] = [
    { role: "user", text: "Look it up." },
    { role: "agent", text: "Sure.", tool_calls: [look, { id: "c2", name: "look_up", arguments: null }] },
    { role: "user", text: "   " },
    { role: "user", text: "Hello?" },
    { role: "tool", tool_call_id: "c1", name: "look_up", text: "late" },
    { role: "tool", tool_call_id: "gone", name: "look_up", text: "of no call" },
    { role: "agent", text: "", tool_calls: [] },
  ];
  const none = "There is no result: the tool did not finish.";

  it("put every result right after its call, and omit blank turns and results without a call", async () => {
    expect((await sent("openai", { messages })).messages).toEqual([
      { role: "system", content: "Be kind." },
      { role: "user", content: "Look it up." },
      expect.objectContaining({ role: "assistant", content: "Sure." }),
      { role: "tool", tool_call_id: "c1", content: "late" },
      { role: "tool", tool_call_id: "c2", content: none },
      { role: "user", content: "Hello?" },
    ]);
    expect((await sent("anthropic", { messages })).messages).toEqual([
      { role: "user", content: [{ type: "text", text: "Look it up." }] },
      {
        role: "assistant",
        content: [
          { type: "text", text: "Sure." },
          { type: "tool_use", id: "c1", name: "look_up", input: look.arguments },
          { type: "tool_use", id: "c2", name: "look_up", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "c1", content: "late" },
          { type: "tool_result", tool_use_id: "c2", content: none },
          { type: "text", text: "Hello?", cache_control: CACHED },
        ],
      },
    ]);
  });
});
