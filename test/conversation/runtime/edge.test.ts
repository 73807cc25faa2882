import { describe, expect, it } from "vitest";
import { openRuntime, runtimeSession } from "../../support/runtime.ts";
import { hasEnded, isEnd, isLast, prompt, recordOnce, spoken } from "./conversing.ts";

const AGENT = { greeting_message: "Hello, this is Acme. How can I help?", system_prompt: "You answer for Acme." };

describe("a call with the edge runtime", () => {
  it("greets, answers, and records every turn", async () => {
    const call = await runtimeSession(AGENT);
    const socket = await openRuntime(call.session_token);
    expect(spoken(await socket.until(isLast))).toBe(AGENT.greeting_message);
    socket.send(prompt("Can I talk about something?"));
    const answer = spoken(await socket.until(isLast));
    expect(answer).not.toBe("");
    socket.send(prompt("Okay, goodbye!"));
    const farewell = await socket.until(isEnd);
    await socket.closed;
    const over = await recordOnce(call, hasEnded);
    expect(over).toMatchObject({ kind: "call", call_id: call.call_id, end_reason: "agent_ended", complete: true });
    const agentTexts = over.turns.filter(({ role }) => role === "agent").map(({ text }) => text);
    expect(agentTexts).toEqual([AGENT.greeting_message, answer, spoken(farewell)]);
    expect(over.turns.map(({ role }) => role)).toEqual(expect.arrayContaining(["user", "tool"]));
  });
});
