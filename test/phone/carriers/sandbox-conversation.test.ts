import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { CarrierRefusal } from "../../../src/phone/carriers/carrier.ts";
import { sandbox } from "../../../src/phone/carriers/sandbox.ts";
import type { SandboxCarrier } from "../../../src/phone/carriers/sandbox-carrier.ts";
import {
  type Caller,
  caller,
  getCall,
  isOver,
  originate,
  running,
  sandboxOf,
  settled,
  withVars,
} from "../calls/support.ts";

type Frame = Record<string, unknown> & { type: string };

/** A stand-in for the service's runtime that answers each line with its own. */
class StandIn {
  readonly frames: Frame[] = [];
  readonly sockets: WebSocket[] = [];
  closed = 0;
  /** Whether it has stopped answering. */
  mute = false;
  greeting = "Hello";

  readonly connect = (): Response => {
    const { 0: client, 1: server } = new WebSocketPair();
    server.accept();
    this.sockets.push(server);
    server.addEventListener("close", () => {
      this.closed++;
      server.close();
    });
    server.addEventListener("message", ({ data }) => {
      const frame: Frame = JSON.parse(String(data));
      this.frames.push(frame);
      const words = frame.type === "setup" ? this.greeting : `You say: ${frame.voicePrompt}`;
      if (this.mute || frame.type === "interrupt" || words === "") return;
      server.send(JSON.stringify({ type: "text", token: words, last: true }));
    });
    return new Response(null, { status: 101, webSocket: client });
  };

  get lines(): unknown[] {
    return this.frames.filter(({ type }) => type === "prompt").map(({ voicePrompt }) => voicePrompt);
  }
}

/** Accesses the stand-in's socket within the object that created it. */
const within = (who: Caller, { sockets }: StandIn, act: (socket: WebSocket | undefined) => void) =>
  runInDurableObject(sandboxOf(who), () => act(sockets.at(-1)));
const sendFrame = (who: Caller, runtime: StandIn, frame: Frame) =>
  within(who, runtime, (socket) => socket?.send(JSON.stringify(frame)));

/** Puts the stand-in in the place of the service's runtime. All other requests reach the service. */
function standIn({ account }: Caller, runtime: Pick<StandIn, "connect">): Promise<void> {
  return runInDurableObject(sandboxOf({ account }), (instance: SandboxCarrier) => {
    const { ctx } = instance as unknown as { ctx: DurableObjectState };
    const service = ctx.exports.default;
    const fetch = async (request: Request) =>
      new URL(request.url).pathname === "/runtime" ? runtime.connect() : service.fetch(request);
    const stubbed = new Proxy(ctx, {
      get(target, name) {
        if (name === "exports") return { default: { fetch } };
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    Object.assign(instance, { ctx: stubbed });
  });
}

/** Creates an account whose sandbox talks with a stand-in. */
async function speaking(vars: Partial<Record<keyof Env, string>> = {}) {
  const who = await caller();
  const runtime = new StandIn();
  await withVars(sandboxOf(who), { SANDBOX_CONVERSATION: "on", ...vars });
  await standIn(who, runtime);
  return { who, runtime };
}
const SLOWLY = { SANDBOX_TALK_MS: "600000" };
const dial = async (who: Caller, to = "+13035550111") => (await originate(who, to)).body.call_id;
const held = (who: Caller) =>
  runInDurableObject(sandboxOf(who), (_, { storage }) =>
    storage.sql.exec<{ said: number; answered: number }>("SELECT said, answered FROM calls").one(),
  );

describe("sandbox calls with a conversation", () => {
  it("a sandbox call introduces its caller to the runtime, talks, and ends with a recording", async () => {
    const { who, runtime } = await speaking();
    const id = await dial(who);
    const over = await settled(who.server, id, isOver);
    expect(over).toMatchObject({ status: "completed", end_reason: "answered", metadata: { answered_by: "human" } });
    expect(runtime.frames[0]).toEqual({
      type: "setup",
      sessionId: id,
      callSid: id,
      from: who.from_number,
      to: "+13035550111",
      direction: "outbound",
      customParameters: { session_token: expect.stringMatching(/^ey/) },
    });
    expect(runtime.lines).toEqual([expect.stringMatching(/opening hours/), expect.stringMatching(/goodbye/)]);
    await vi.waitFor(() => expect(runtime.closed).toBe(1));
    await settled(who.server, id, ({ recording_id }) => recording_id !== null);
    expect(await running(who.server)).toBe(0);
  });

  it("a sandbox call is in progress until it ends, which the agent may do", async () => {
    const { who, runtime } = await speaking(SLOWLY);
    const id = await dial(who);
    await vi.waitFor(() => expect(runtime.frames).toHaveLength(1));
    expect(await sandboxOf(who).look(id)).toMatchObject({ status: "in-progress", answered_by: "human" });
    await sendFrame(who, runtime, { type: "end", handoffData: "{}" });
    await settled(who.server, id, isOver);
    expect(await sandboxOf(who).look(id)).toMatchObject({ status: "completed", reason: "normal_clearing" });
    expect(runtime.lines).toEqual([]);
  });

  it("a sandbox call is hung up when its connection closes", async () => {
    const { who, runtime } = await speaking(SLOWLY);
    const id = await dial(who);
    await vi.waitFor(() => expect(runtime.frames).toHaveLength(1));
    expect((await who.server.post(`/api/v1/calls/${id}/hangup`)).status).toBe(200);
    expect(await getCall(who.server, id)).toMatchObject({ status: "completed", end_reason: "hangup" });
    await vi.waitFor(() => expect(runtime.closed).toBe(1));
    await runDurableObjectAlarm(sandboxOf(who));
    expect(runtime.sockets).toHaveLength(1);
  });

  it("a sandbox call ends when its longest duration is reached", async () => {
    const { who, runtime } = await speaking(SLOWLY);
    const id = await dial(who);
    await vi.waitFor(() => expect(runtime.frames).toHaveLength(1));
    await runInDurableObject(sandboxOf(who), (_, { storage }) => {
      storage.sql.exec("UPDATE calls SET answers_at = answers_at - 7200000, placed_at = placed_at - 7200000");
    });
    await runDurableObjectAlarm(sandboxOf(who));
    await settled(who.server, id, isOver);
    await vi.waitFor(() => expect(runtime.closed).toBe(1));
  });

  it("a transferred sandbox call continues for a while without the runtime", async () => {
    const { who, runtime } = await speaking(SLOWLY);
    const id = await dial(who);
    await vi.waitFor(() => expect(runtime.frames).toHaveLength(1));
    expect(await sandboxOf(who).transfer(id)).toBe(true);
    await within(who, runtime, (socket) => socket?.close(1000));
    expect(await sandboxOf(who).look(id)).toMatchObject({ status: "in-progress" });
    await runDurableObjectAlarm(sandboxOf(who));
    expect(runtime.sockets).toHaveLength(1);
    await runInDurableObject(sandboxOf(who), (_, { storage }) => {
      storage.sql.exec("UPDATE calls SET ended_at = ended_at - 600000; UPDATE reports SET due_at = due_at - 600000");
    });
    await runDurableObjectAlarm(sandboxOf(who));
    expect(await settled(who.server, id, isOver)).toMatchObject({ status: "completed" });
    expect(await sandboxOf(who).transfer(id)).toBe(false);
    expect(await sandboxOf(who).transfer(crypto.randomUUID())).toBe(false);
  });

  it("a sandbox call is not transferred without a caller on the line or to a number that refuses calls", async () => {
    const { who } = await speaking(SLOWLY);
    const { account, from_number } = who;
    const carrier = sandbox.connect({}, { account, env, fetch, now: Date.now });
    const call_id = crypto.randomUUID();
    const ref = { account, call_id, provider_call_id: call_id, from_number, to_number: "+13035550111" };
    const transfer = (to_number: string) => {
      const handover = { to_number, caller_id: from_number, webhook_url: "", instructionsUrl: async () => "" };
      return carrier.transfer({ ...ref, placed_at: 0, connected: true }, handover);
    };
    await expect(transfer("+13035550104")).rejects.toThrow("end in 04");
    await expect(transfer("+13035550110")).rejects.toThrow("no one is on the line");
    await expect(transfer("+13035550110")).rejects.toBeInstanceOf(CarrierRefusal);
  });

  it("a sandbox call resumes the same session after a restart", async () => {
    const { who, runtime } = await speaking();
    runtime.mute = true;
    runtime.greeting = "";
    const id = await dial(who);
    await vi.waitFor(() => expect(runtime.frames).toHaveLength(1));
    // The greeting is answered by a line, which stays unanswered.
    await sendFrame(who, runtime, { type: "text", token: "Hello", last: true });
    await vi.waitFor(async () => expect(await held(who)).toEqual({ said: 1, answered: 0 }));
    // As if it were killed, the object loses its connection and stores nothing more.
    await runInDurableObject(sandboxOf(who), (_, state) => state.abort("killed")).catch(() => {});
    const second = new StandIn();
    second.greeting = "";
    await standIn(who, second);
    await runDurableObjectAlarm(sandboxOf(who));
    await settled(who.server, id, isOver);
    expect(second.frames[0]).toEqual(runtime.frames[0]);
    expect(second.lines[0]).toBe(runtime.lines[0]);
    expect(second.lines).toHaveLength(2);
  });

  it("a sandbox call ends at once if the runtime refuses it", async () => {
    const { who } = await speaking();
    let connections = 0;
    await standIn(who, {
      connect: () => {
        connections++;
        return new Response("no", { status: 403 });
      },
    });
    const id = await dial(who);
    expect(await settled(who.server, id, isOver)).toMatchObject({ status: "completed" });
    expect(connections).toBe(1);
  });

  it("sandbox numbers ending in 01 to 07 hold no conversation", async () => {
    const { who, runtime } = await speaking();
    expect((await settled(who.server, await dial(who, "+13035550101"), isOver)).status).toBe("busy");
    await settled(who.server, await dial(who, "+13035550107"), isOver);
    await withVars(sandboxOf(who), { PUBLIC_URL: "https://elsewhere.test" });
    await settled(who.server, await dial(who), isOver);
    await withVars(sandboxOf(who), { PUBLIC_URL: "https://switchboard.test", SANDBOX_CONVERSATION: "off" });
    await settled(who.server, await dial(who), isOver);
    expect(runtime.sockets).toHaveLength(0);
  });
});
