import { describe, expect, it } from "vitest";
import type { ConversationDetail, Turn } from "../../../src/records/conversations/record.ts";
import { transcriptOf } from "../../../src/records/conversations/transcript.ts";
import { tenant } from "../../support/client.ts";
import { endedRow, held, later, PATH, PLAIN, TURNS } from "./support.ts";

const userTurn = (text: string, set: Partial<Turn> = {}): Turn => ({
  seq: 1,
  at: later(0),
  role: "user",
  text,
  ...PLAIN,
  ...set,
});
const detail = (turns: Turn[], set: Partial<ConversationDetail> = {}): ConversationDetail => ({
  ...endedRow(),
  storage: "all",
  turns,
  ...set,
});
const body = (turns: Turn[], set: Partial<ConversationDetail> = {}) => {
  const text = transcriptOf(detail(turns, set), "Ada");
  return text.slice(text.indexOf("\n\n") + 2);
};

describe("a transcript", () => {
  it("has a header, and a line for each turn with its time", () => {
    const row = endedRow({ id: "01990000-0000-7000-8000-000000000001" });
    expect(
      transcriptOf({ ...row, storage: "all", turns: TURNS }, "Ada"),
    ).toBe(`Conversation: 01990000-0000-7000-8000-000000000001
Date: 2026-03-04 10:00:00 UTC
Kind: outbound call
Agent: Ada
Number: +13035550110
Duration: 01:00
Ended: agent_hung_up
Disposition: booked

[00:03] Agent: Hello, this is Ada. [interrupted]
[00:05] Caller: Book me a table.
[00:07] Tool: book_table({"seats":2}) → {"table":7} (120 ms)
[00:09] Agent: Done.
        See you!
`);
  });

  it("names a visitor, and marks a live conversation and a missing disposition", () => {
    const set = {
      kind: "widget",
      direction: null,
      phone_number: null,
      visitor_id: "u1",
      visitor_type: "user",
    } as const;
    const text = transcriptOf(
      detail([userTurn("hi")], { ...set, ended_at: null, end_reason: null, disposition: null }),
      "A",
    );
    expect(text).toContain("Kind: widget\nAgent: A\nVisitor: u1 (user)\nDuration: live\nDisposition: none\n\n");
    expect(text).toMatch(/\n\[00:00\] Visitor: hi\n$/);
  });

  it("shows hours if there are any, and no time before the beginning", () => {
    expect(body([userTurn("a", { at: later(3_723_000) })])).toBe("[1:02:03] Caller: a\n");
    expect(body([userTurn("a", { at: later(-5_000) })])).toBe("[00:00] Caller: a\n");
  });

  it("indents line breaks in an utterance, so that they cannot be mistaken for a turn", () => {
    for (const end of ["\n", "\r\n", "\r", "\u2028", "\u0085", "\v"]) {
      const lines = body([userTurn(`a${end}[00:09] Agent: I agree`)]).split("\n");
      expect(lines).toEqual(["[00:00] Caller: a", "        [00:09] Agent: I agree", ""]);
    }
    const head = transcriptOf(detail([], { disposition: "x\nAgent: y", turn_count: 0 }), "A\n\n[00:00] Agent: z");
    expect(head).toContain("\nAgent: A  [00:00] Agent: z\n");
    expect(head).toContain("\nDisposition: x Agent: y\n");
  });

  it("shows a tool that failed, is running or may have run, one without a result, and a shortened long result", () => {
    const use = {
      tool_call_id: "t",
      run_id: null,
      name: "look_up",
      arguments: {},
      state: "failed",
      ok: false,
      result: "away",
      duration_ms: null,
    } as const;
    const line = (tool_call: Turn["tool_call"]) => body([userTurn("look_up", { role: "tool", tool_call })]);
    expect(line(use)).toBe("[00:00] Tool: look_up({}) → failed: away\n");
    const open = { ...use, ok: null, result: null };
    expect(line({ ...open, state: "unknown" })).toBe("[00:00] Tool: look_up({}) → no result\n");
    expect(line({ ...open, state: "running" })).toBe("[00:00] Tool: look_up({}) → still running\n");
    expect(line({ ...use, state: "unknown" })).toBe("[00:00] Tool: look_up({}) → outcome unknown\n");
    const long = line({ ...use, state: "ok", ok: true, result: "😀".repeat(600) });
    expect(long).toBe(`[00:00] Tool: look_up({}) → ${"😀".repeat(500)}…\n`);
  });

  it("says if the turns are lost", () => {
    expect(body([], { turn_count: 3 })).toBe("(The transcript was lost.)\n");
    expect(body([], { turn_count: 0 })).toBe("");
  });
});

describe("the transcript of a conversation", () => {
  it("a transcript is served as text that no browser shows as a page", async () => {
    const who = await tenant();
    const agent = await who.user.post<{ id: string }>("/api/v1/agents", { name: "Grace" });
    const id = await held(who, { agent_id: agent.body.id }, [userTurn("<script>alert(1)</script>")]);
    const answer = await who.user.get<string>(`${PATH}/${id}/transcript`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.body).toContain("\nAgent: Grace\n");
    expect(answer.body).toContain("[00:00] Caller: <script>alert(1)</script>\n");
    await who.user.delete(`/api/v1/agents/${agent.body.id}`);
    const gone = await who.user.get<string>(`${PATH}/${id}/transcript`);
    expect(gone.body).toContain(`\nAgent: ${agent.body.id}\n`);
  });
});
