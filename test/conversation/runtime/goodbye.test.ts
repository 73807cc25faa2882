import { describe, expect, it } from "vitest";
import { openRuntime } from "../../support/runtime.ts";
import { page, widgetTenant } from "../../support/widget.ts";
import { conversing, hasEnded, isEnd, prompt, recordOnce, spoken } from "./conversing.ts";

describe("a caller who wants no more calls", () => {
  it("the scripted agent adds a caller who wants no more calls to the do-not-call list", async () => {
    const { call, socket } = await conversing();
    socket.send(prompt("Please stop calling me."));
    const frames = await socket.until(isEnd);
    expect(spoken(frames)).toMatch(/off our list.*Goodbye\.$/);
    const record = await recordOnce(call, hasEnded);
    expect(record).toMatchObject({ end_reason: "agent_ended", disposition: "opted_out" });
    const used = record.turns.flatMap(({ tool_call }) => tool_call?.name ?? []);
    expect(used).toEqual(["opt_out", "set_disposition", "end_call"]);
  });

  it("can end a chat in the same way as a call", async () => {
    const created = await widgetTenant();
    const { access_token } = (await page().guest(created.widgetKey.key)).body;
    const socket = await openRuntime();
    socket.send({ type: "session", access_token });
    await socket.until(({ type }) => type === "message");
    socket.send({ type: "message", id: "1", text: "Please stop calling me" });
    const frames = await socket.until(({ type }) => type === "ended");
    expect(frames.at(-1)).toEqual({ type: "ended", reason: "agent_ended" });
  });
});
