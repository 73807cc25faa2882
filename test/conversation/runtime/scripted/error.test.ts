import { describe, expect, it } from "vitest";
import type { ModelTool } from "../../../../src/conversation/runtime/models/model.ts";
import { builtIn, Conversation, schema, session, shipped } from "./support.ts";

const orders = () => session("Order Concierge");
const lookUp = shipped("look_up_order");
const answering = (text: string) => (call: { name: string }) => (call.name === lookUp.name ? text : '{"ok":true}');

describe("a tool that fails", () => {
  it.each([
    ["Error: The integration shopify is not set up.", "order. The integration shopify is not set up. Shall"],
    ["Error: try https://internal.example/x later", "order. try later. Shall"],
    ["Error: ", "I could not look up order. Shall"],
  ])("a failed tool is reported in words: %s", async (result, words) => {
    const talk = new Conversation(orders(), [...builtIn, lookUp], answering(result));
    const { text, used } = await talk.say("Look up order 1042");
    expect(used).toEqual(["look_up_order"]);
    expect(text).toContain("I am sorry, that did not work: I could not look up order.");
    expect(text).toContain(words);
    expect(text).toMatch(/Shall somebody call you back\?$/);
    expect((await talk.say("yes")).used).toEqual(["set_disposition"]);
    expect(talk.argsOf("set_disposition")).toEqual({ value: "callback_requested" });
  });

  it.each([
    "[]",
    "null",
    '""',
    "{}",
    "[[[]]]",
    '{"a":{"b":{"c":{"d":{"e":1}}}}}',
    "17",
    "true",
    "{",
    `["${"x".repeat(9_000)}"]`,
  ])("the scripted agent accepts that a failing tool answers %s", async (answer) => {
    const { text } = await new Conversation(orders(), [...builtIn, lookUp], answering(answer)).say(
      "Look up order 1042",
    );
    expect(text).toMatch(/Is there anything else I can help you with\?$/);
    expect(text.length).toBeLessThan(1_000);
  });
});

describe("built-in tools that fail", () => {
  const failing = () => "Error: no";

  it("still end the call of a caller who wants no more calls, without claiming success", async () => {
    const { text, used } = await new Conversation(orders(), builtIn, failing).say("stop calling me");
    expect(used).toEqual(["opt_out", "set_disposition", "end_call"]);
    expect(text).toContain("I could not take your number off the list");
  });

  it("lead to a callback after a failed transfer", async () => {
    const talk = new Conversation(orders(), builtIn, failing);
    const { text, used } = await talk.say("a human please");
    expect(used).toEqual(["transfer_call", "set_disposition"]);
    expect(text).toContain("I could not reach anybody. Somebody will call you back.");
  });
});

describe("the scripted agent without tools", () => {
  it.each([
    "stop calling me",
    "a person please",
    "bye",
    "look up order 1042",
    "yes please",
    "not interested",
    "thanks",
  ])("the scripted agent without tools answers “%s” only in words", async (words) => {
    const { text, used } = await new Conversation(orders(), []).say(words);
    expect(text).not.toBe("");
    expect(used).toEqual([]);
  });

  it("does not claim to have recorded anything", async () => {
    expect((await new Conversation(orders(), []).say("stop calling me")).text).toContain(
      "could not take your number off",
    );
  });
});

describe("missing arguments of a tool", () => {
  it("the scripted agent asks for missing arguments until it has them or the caller wants something else", async () => {
    const talk = new Conversation(orders(), [...builtIn, shipped("send_sms")]);
    const question = "To send sms I need the phone and the body. What is the phone?";
    expect((await talk.say("send sms")).text).toBe(question);
    expect((await talk.say("you know it, yes?")).text).toBe(question);
    expect((await talk.say("When is the delivery?")).text).toMatch(/^From our FAQ “How long does delivery take\?”/);
    expect((await talk.say("you know it, yes?")).text).toMatch(/in other words\?$/);
  });

  it("a yes, a question or a missing answer is not read as an argument", async () => {
    for (const words of ["yes", "what is that?", "I don't know"]) {
      const talk = new Conversation(orders(), [...builtIn, lookUp]);
      await talk.say("look up my order");
      expect((await talk.say(words)).used, words).not.toContain("look_up_order");
    }
  });

  it("the scripted agent stops asking for arguments once the caller declines", async () => {
    const talk = new Conversation(orders(), [...builtIn, lookUp]);
    await talk.say("look up my order");
    expect((await talk.say("never mind")).text).toMatch(/^All right\./);
    expect((await talk.say("1042")).used).toEqual([]);
  });

  it("are not asked for if they cannot be spoken, so the tool does not run", async () => {
    const nested = {
      name: "order_pizza",
      description: "",
      parameters: schema({ crust: { type: "object" } }, ["crust"]),
    };
    expect((await new Conversation(orders(), [nested]).say("order pizza")).used).toEqual([]);
  });

  it.each<[string, Record<string, unknown>]>([
    ["null", { type: "object", properties: null, required: null }],
    ["texts", { type: "object", properties: "x", required: "y" }],
    ["nothing", {}],
    ["one not described", { properties: {}, required: ["x"] }],
    ["odd ones", { properties: { a: null, b: 1, c: { type: [] }, d: { enum: [{}] } }, required: ["a", 7] }],
  ])("tolerate parameters of %s", async (_, parameters) => {
    const tools: ModelTool[] = ["order_pizza", "set_disposition", "transfer_call", "opt_out", "end_call"].map(
      (name) => ({
        name,
        description: "",
        parameters,
      }),
    );
    for (const words of ["order pizza", "a person please", "not interested", "stop calling"]) {
      expect((await new Conversation(orders(), tools).say(words)).text).not.toBe("");
    }
  });
});

it("the scripted agent continues after an interruption", async () => {
  const talk = new Conversation(orders(), [...builtIn, lookUp]);
  await talk.say("look up my order");
  const last = talk.messages.at(-1);
  if (last?.role === "agent") last.text = "To look up";
  expect((await talk.say("1042")).used).toEqual(["look_up_order"]);
});

it("the scripted agent stops when it is aborted", async () => {
  const talk = new Conversation(orders());
  talk.messages.push({ role: "user", text: "How do returns work?" });
  await expect(talk.answer(builtIn, AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
});

it("the scripted agent answers without knowledge, greeting, prompt and transfer targets", async () => {
  const empty = session("Order Concierge", { faqs: [], playbooks: [], variables: {}, call: null, kind: "widget" });
  Object.assign(empty.agent, { name: "", greeting_message: "", system_prompt: "" });
  for (const words of [
    "",
    "  ",
    "hello",
    "yes",
    "no",
    "who is this?",
    "what can you do?",
    "blub",
    "tell me more",
    "repeat that",
  ]) {
    expect((await new Conversation(empty).say(words)).text).toMatch(/\w/);
  }
});
