import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startRuntime } from "../../../examples/runtime/server.js";
import { DIALECTS } from "../../../packages/runtime-check/src/dialects.ts";
import { connect } from "../../../packages/runtime-check/src/line.ts";
import { StandIn } from "../../../packages/runtime-check/src/stand-in.ts";

let standIn: StandIn;
let runtime: Awaited<ReturnType<typeof startRuntime>>;
beforeAll(async () => {
  standIn = await StandIn.open(0, "call");
  runtime = await startRuntime({ port: 0, host: "127.0.0.1", switchboardUrl: standIn.url });
});
afterAll(async () => {
  await runtime?.stop();
  await standIn?.close();
});

/** Sends these frames and then a call's beginning. Returns whether the runtime spoke in that call. */
async function greetedAfter(frames: (string | Uint8Array)[], path = "/"): Promise<boolean> {
  const { token, call_id } = standIn.issue();
  const socket = connect(`ws://127.0.0.1:${runtime.port}${path}`);
  await new Promise((resolve) => socket.addEventListener("open", resolve));
  const greeted = new Promise<boolean>((resolve) => {
    socket.addEventListener("message", () => resolve(true), { once: true });
    socket.addEventListener("close", () => resolve(false));
  });
  for (const frame of frames) socket.send(frame as string);
  for (const frame of DIALECTS.twilio.first(token, call_id)) socket.send(JSON.stringify(frame));
  const isGreeted = await greeted;
  socket.close();
  return isGreeted;
}

describe("the example runtime, when strangers connect", () => {
  const start = (fields: object) => JSON.stringify({ event: "start", start: fields });

  it.each(["", "null", "[]", "7", "{", '"start"', '{"event":"start"}', '{"event":"start","start":7}', '{"event":{}}'])(
    "the example runtime ignores the frame %j",
    async (frame) => {
      expect(await greetedAfter([frame, Uint8Array.of(1, 2, 3)])).toBe(true);
    },
  );

  it.each([
    ["no token", start({ streamSid: "MZ1" }), "/"],
    ["an invalid token", start({ customParameters: { session_token: { a: 1 } } }), "/"],
    ["an unknown token", start({ customParameters: { session_token: "eyJ.a.b" } }), "/"],
    ["an invalid state of Telnyx", start({ call_control_id: "v3", client_state: 7 }), "/"],
    ["an invalid address of Plivo", start({ streamId: "s" }), "//?%"],
  ])("the example runtime closes a connection that sends %s, and takes the next call", async (_, frame, path) => {
    expect(await greetedAfter([frame], path)).toBe(false);
    expect(await greetedAfter([])).toBe(true);
  });

  it("explains itself to a browser", async () => {
    const status = await new Promise((resolve) =>
      request({ port: runtime.port, host: "127.0.0.1" }, ({ statusCode }) => resolve(statusCode)).end(),
    );
    expect(status).toBe(426);
  });
});
