import { env, exports } from "cloudflare:workers";
import { issueRuntimeToken } from "../../src/phone/calls/call-token.ts";
import { answering, ring } from "../phone/inbound/support.ts";
import { BASE, Client, type Tenant } from "./client.ts";

/**
 * The session of a call that has come in at the sandbox and talks until somebody ends it: nobody holds its conversation.
 * `session_token` is its carrier's; `client` asks as a runtime of the account's own. Fields of the agent's may be given,
 * and of the call that comes in.
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

/** A runtime of the key's account that talks to the visitor or tester of this token. */
export function runtimeFor({ key }: Pick<Tenant, "key">, access_token: string): Client {
  return new Client({ authorization: `Bearer ${key.key}`, "x-visitor-token": access_token });
}
export type RuntimeSession = Awaited<ReturnType<typeof runtimeSession>>;

/** A frame as it goes over the socket. */
export type Frame = { type: string } & Record<string, unknown>;

/** A connection to the edge runtime. */
export interface RuntimeSocket {
  send(frame: Frame | string | ArrayBuffer): void;
  /** The next frame that has come or comes. Rejects where the connection closes first. */
  next(): Promise<Frame>;
  /** The frames up to and with the first that meets the condition. */
  until(done: (frame: Frame) => boolean): Promise<Frame[]>;
  /** Leaves, as a carrier does when the call ends; with null it does not say why. */
  close(code?: number | null, reason?: string): void;
  /** How the connection closed. */
  closed: Promise<{ code: number; reason: string }>;
}

/** Connects to the edge runtime as a carrier does; with a session's token it says at once whose session it is. */
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

/** How a carrier begins a conversation: with the parameters that it was told to pass on. */
export function setup(session_token: string): Frame {
  return { type: "setup", sessionId: "VX1", callSid: "CA1", customParameters: { session_token } };
}
