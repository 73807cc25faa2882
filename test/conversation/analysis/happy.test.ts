import { afterEach, describe, expect, it, vi } from "vitest";
import { ask, conversing, prompt, QUESTION, stored } from "../runtime/conversing.ts";
import { ANALYSIS, analyzedCall, analyzedOnce, GOOD, held, tell, wakeAfter } from "./support.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const found = (value: unknown, turns: number[], by: string) => ({ value, state: "found", turns, by });

describe("a conversation that is over", () => {
  it("the agent's model analyzes a conversation that has ended, with turns for every value", async () => {
    const { call, model } = await held([GOOD]);
    const { analysis, turns, complete } = await analyzedOnce(call);
    expect(complete).toBe(true);
    expect(analysis).toEqual({
      status: "done",
      reason: null,
      summary: GOOD.summary,
      successful: "success",
      criteria: [{ name: "booked", verdict: "success", rationale: "The tool booked it.", turns: [3, 5] }],
      data: {
        caller_name: found("Ada Lovelace", [2], "caller"),
        seats: found(2, [2], "caller"),
        day: found("2026-11-27", [2], "caller"),
        refund_approved: { value: null, state: "not_mentioned", turns: [], by: null },
        part: found("evening", [2], "caller"),
      },
      model: "openai/gpt-4o",
      agent_version: 1,
      usage: { input_tokens: expect.any(Number), cached_tokens: 0, output_tokens: expect.any(Number), requests: 1 },
    });
    expect(turns.find(({ seq }) => seq === 2)?.text).toContain("Ada Lovelace");
    // The transcript is sent as user data, and the fields to find as instructions.
    expect(model.bodies).toHaveLength(1);
    const { messages } = JSON.parse(model.bodies[0] ?? "");
    const system = messages.find(({ role }: { role: string }) => role === "system").content;
    expect(system).toContain("The agent booked an appointment.");
    expect(system).not.toContain("refund is approved");
  });

  it("the scripted analyst analyzes a conversation without a model, the same each time", async () => {
    const of = async () => {
      const call = await analyzedCall();
      await tell(call);
      return (await analyzedOnce(call)).analysis;
    };
    const first = await of();
    expect(first).toMatchObject({
      status: "done",
      model: "scripted",
      successful: "success",
      data: { day: found("2026-11-27", [2], "caller"), part: found("evening", [2], "caller") },
    });
    expect(first.summary).toContain("Disposition: booked.");
    expect(JSON.stringify(await of())).toBe(JSON.stringify(first));
  });

  it("a conversation that the edge runtime held is analyzed, after which its object is emptied", async () => {
    const { call, socket } = await conversing({ analysis: ANALYSIS });
    await ask(socket, QUESTION);
    socket.send(prompt("Goodbye!"));
    await socket.closed;
    const { analysis } = await analyzedOnce(call);
    expect(analysis).toMatchObject({ status: "done", model: "scripted" });
    await wakeAfter(call, 61_000);
    expect(await stored(call, call.call_id)).toEqual({ tables: [], alarm: null });
  });

  it("the state of an analysis is listed and emitted as an event", async () => {
    const { call } = await held([GOOD]);
    const { id } = await analyzedOnce(call);
    type Page = { conversations: { id: string; analysis: unknown }[] };
    const { body } = await call.server.get<Page>(`/api/v1/conversations?call_id=${call.call_id}`);
    expect(body.conversations.map(({ analysis }) => analysis)).toEqual([
      { status: "done", successful: "success", summary: GOOD.summary },
    ]);
    await vi.waitFor(async () => {
      type Events = { events: { data: object }[] };
      const { events } = (await call.server.get<Events>("/api/v1/events?types=conversation.analyzed")).body;
      expect(events.map(({ data }) => data)).toEqual([
        expect.objectContaining({ conversation_id: id, status: "done", successful: "success" }),
      ]);
      expect(JSON.stringify(events)).not.toContain("Ada");
    });
  });

  it("a conversation of an agent without analysis has none", async () => {
    const call = await analyzedCall({ enabled: false });
    await tell(call);
    const found = await vi.waitFor(async () => {
      const { body } = await call.server.get<{ conversations: { status: string; analysis: unknown }[] }>(
        `/api/v1/conversations?call_id=${call.call_id}`,
      );
      expect(body.conversations[0]?.status).toBe("ended");
      return body.conversations[0];
    });
    expect(found?.analysis).toBeNull();
  });
});
