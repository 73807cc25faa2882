import { env, exports } from "cloudflare:workers";
import { issueRuntimeToken } from "../../src/phone/calls/call-token.ts";
import { answering, ring } from "../phone/inbound/support.ts";
import { BASE, Client, type Tenant } from "./client.ts";

/**
 * Creates a sandbox call whose conversation is not held by any runtime yet, and returns its session. `session_token` is
 * the carrier's; `client` calls the API as a runtime of the account. The fields of the agent and of the inbound call
 * may be given.
 */
export async function runtimeSession(agent: Record<string, unknown> = {}, call: Record<string, unknown> = {}) {
  const who = await answering(agent);
  const { status, body } = await ring(who, call);
  const { call_id, session_token } = body;
  if (status !== 200 || !session_token) throw new Error(`not answered: ${status} ${JSON.stringify(body)}`);
  const session = { call_id, account: who.account, agent_id: who.agent_id, campaign_id: null };
  const runtime_token = await issueRuntimeToken(env.SIGNING_KEYS, session, 7200, Date.now());
  const client = new Client({ authorization: `Bearer ${runtime_token}` });
  return { ...who, call_id, session_token, runtime_token, client };
}

/** Returns a runtime of the key's account for the visitor or tester of this token. */
export function runtimeFor({ key }: Pick<Tenant, "key">, access_token: string): Client {
  return new Client({ authorization: `Bearer ${key.key}`, "x-visitor-token": access_token });
}
export type RuntimeSession = Awaited<ReturnType<typeof runtimeSession>>;

export type Frame = { type: string } & Record<string, unknown>;

export interface RuntimeSocket {
  send(frame: Frame | string | ArrayBuffer): void;
  /** Returns the next frame. Rejects if the connection closes first. */
  next(): Promise<Frame>;
  /** Returns the frames up to the first that meets the condition. */
  until(done: (frame: Frame) => boolean): Promise<Frame[]>;
  /** Closes the connection as a carrier does when the call ends; null sends no code. */
  close(code?: number | null, reason?: string): void;
  /** How the connection closed. */
  closed: Promise<{ code: number; reason: string }>;
}

/** Connects to the edge runtime as a carrier does. With a session's token, it presents the token at once. */
export async function openRuntime(token?: string, headers: Record<string, string> = {}): Promise<RuntimeSocket> {
  const upgrade = new Request(`${BASE}/runtime`, { headers: { upgrade: "websocket", ...headers } });
  const { status, webSocket: socket } = await exports.default.fetch(upgrade);
  if (!socket) throw new Error(`no connection to the runtime: ${status}`);
  const come: Frame[] = [];
  const waiting: PromiseWithResolvers<Frame>[] = [];
  let over: Error | null = null;
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.addEventListener("close", ({ code, reason }) => {
      over = new Error(`the connection closed: ${code} ${reason}`);
      for (const one of waiting.splice(0)) one.reject(over);
      resolve({ code, reason });
    });
  });
  socket.addEventListener("message", ({ data }) => {
    const frame: Frame = JSON.parse(String(data));
    const first = waiting.shift();
    if (first) first.resolve(frame);
    else come.push(frame);
  });
  socket.accept();
  const send = (frame: Frame | string | ArrayBuffer) =>
    socket.send(typeof frame === "string" || frame instanceof ArrayBuffer ? frame : JSON.stringify(frame));
  const next = async () => {
    const frame = come.shift();
    if (frame) return frame;
    if (over) throw over;
    const one = Promise.withResolvers<Frame>();
    waiting.push(one);
    return one.promise;
  };
  if (token !== undefined) send(setup(token));
  return {
    send,
    next,
    async until(done) {
      const frames: Frame[] = [];
      for (;;) {
        const frame = await next();
        frames.push(frame);
        if (done(frame)) return frames;
      }
    },
    close: (code = 1000, reason = "") => (code === null ? socket.close() : socket.close(code, reason)),
    closed,
  };
}

/** Creates the first frame of a carrier, with the parameters that it was told to pass on. */
export function setup(session_token: string): Frame {
  return { type: "setup", sessionId: "VX1", callSid: "CA1", customParameters: { session_token } };
}
