import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startRuntime } from "../../../examples/runtime/server.js";
import { DIALECTS } from "../../../packages/runtime-check/src/dialects.ts";
import { connect } from "../../../packages/runtime-check/src/line.ts";
import { type Session, StandIn } from "../../../packages/runtime-check/src/stand-in.ts";
import { WAIT_TIMEOUT_MS } from "../../support/wait-timeout.ts";

let standIn: StandIn;
let runtime: Awaited<ReturnType<typeof startRuntime>>;
beforeAll(async () => {
  standIn = await StandIn.open(0, "call");
  runtime = await startRuntime({
    port: 0,
    host: "127.0.0.1",
    switchboardUrl: standIn.url,
    transferTo: "+12025550177",
  });
});
afterAll(async () => {
  await runtime?.stop();
  await standIn?.close();
});

/** Begins a call in which a key is pressed once the runtime holds it. */
async function pressing(digit: string) {
  const session = standIn.issue();
  const socket = connect(`ws://127.0.0.1:${runtime.port}`);
  const closed = new Promise<number>((resolve) => socket.addEventListener("close", ({ code }) => resolve(code)));
  const spoke = new Promise((resolve) => socket.addEventListener("message", resolve, { once: true }));
  await new Promise((resolve) => socket.addEventListener("open", resolve));
  for (const frame of DIALECTS.twilio.first(session.token, session.call_id)) socket.send(JSON.stringify(frame));
  await spoke;
  socket.send(JSON.stringify({ event: "dtmf", dtmf: { track: "inbound_track", digit } }));
  const leave = () => socket.send(JSON.stringify(DIALECTS.twilio.stop));
  return { session, closed, leave };
}

const reportedOf = ({ ledger }: Session) => ledger.events.map(({ seq: _, at: __, ...event }) => event);
const within = { timeout: WAIT_TIMEOUT_MS };

describe("the example runtime's keys", () => {
  it("1 runs one of the runtime's own tools and reports the call and its result", async () => {
    const { session, closed, leave } = await pressing("1");
    await vi.waitFor(() => expect(reportedOf(session).some(({ type }) => type === "tool_result")).toBe(true), within);
    leave();
    expect(await closed).toBe(1000);
    await vi.waitFor(
      () => expect(reportedOf(session).at(-1)).toEqual({ type: "ended", reason: "caller_hung_up" }),
      within,
    );
    const call = { type: "tool_call", tool_call_id: "clock-1", name: "clock", arguments: {} };
    const time = expect.stringMatching(/^\d\d:\d\d$/);
    const result = {
      type: "tool_result",
      tool_call_id: "clock-1",
      ok: true,
      result: { time },
      duration_ms: expect.any(Number),
    };
    expect(reportedOf(session)).toEqual(
      expect.arrayContaining([{ type: "user_turn", text: "(pressed 1)" }, call, result]),
    );
    expect(session.ledger.complaints).toEqual([]);
  });

  it("9 hangs up", async () => {
    const { session, closed } = await pressing("9");
    expect(await closed).toBe(1000);
    expect(session.hangups).toHaveLength(1);
    await vi.waitFor(
      () => expect(reportedOf(session).at(-1)).toEqual({ type: "ended", reason: "agent_hung_up" }),
      within,
    );
  });

  it("0 transfers the caller", async () => {
    const { session, closed } = await pressing("0");
    expect(await closed).toBe(1000);
    expect(session.transfers).toEqual(["+12025550177"]);
    await vi.waitFor(
      () => expect(reportedOf(session).at(-1)).toEqual({ type: "ended", reason: "transferred" }),
      within,
    );
  });
});
