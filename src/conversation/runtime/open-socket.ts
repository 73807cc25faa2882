import type { Context } from "hono";
import { conversationObject } from "../../kernel/durable/objects.ts";
import type { AppEnv, SessionIdentity } from "../../kernel/http/context.ts";
import { ApiError, badToken, invalid, notFound, tooMany } from "../../kernel/http/errors.ts";
import { countFailure, refuseBlocked } from "../../kernel/http/failures.ts";
import { clientOf } from "../../kernel/http/rate-limits.ts";
import { openStore } from "../../kernel/http/stores.ts";
import { genuine, providerNamed, readable } from "../../phone/calls/webhook.ts";
import { ForgedWebhook } from "../../phone/carriers/carrier.ts";
import { carrierKind } from "../../phone/carriers/index.ts";
import { carrierBy } from "../../phone/telephony/line.ts";
import { CLIENT_ADDRESS, SIGNED, UNSIGNED } from "./client-sockets.ts";
import { PARTICIPANT_FRAMES } from "./frame-rate.ts";
import { BadFrame, CLOSE, FIRST_FRAME_MS, parseFrame, Refusal } from "./protocols/protocol.ts";
import { BadTokenRefusal, readParty } from "./session/read-party.ts";
import { readPartyToken } from "./session/session-token.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The most characters that a client may send before its conversation is reached, because until then it is
 * unauthenticated.
 */
export const MAX_WAITING_CHARS = 64 * 1024;
/** The most frames before that, however short: as many as a participant may send within a minute afterwards. */
export const MAX_WAITING_FRAMES = PARTICIPANT_FRAMES;

/**
 * Connects a WebSocket with the object of its conversation: directly if the handshake contains the session's token.
 * Carriers and browsers send the token in their first frame, so their frames are forwarded from here.
 */
export async function openSocket(c: Context<AppEnv>): Promise<Response> {
  assertUpgrade(c);
  refuseBlocked(c, "authentication");
  const header = c.req.header("authorization");
  if (header !== undefined) return connect(c, await shownBy(c, header));
  const proven = countUnproven(c);
  const { 0: client, 1: server } = new WebSocketPair();
  server.accept();
  passOn(c, server, proven);
  return new Response(null, { status: 101, webSocket: client });
}

/**
 * Connects the WebSocket of a carrier that signs its handshake with the object of its call, after verifying the
 * signature. The token in its first frame must still identify the session.
 * @throws ApiError 403 `forged_webhook`; 404 for a carrier that does not sign; 429
 */
export async function openSignedSocket(c: Context<AppEnv>): Promise<Response> {
  assertUpgrade(c);
  const { provider: name = "", account = "", credentials = "", call = "" } = c.req.param();
  const provider = providerNamed(name);
  if (!carrierKind(provider)?.relay?.signed || ![credentials, call].every((id) => UUID.test(id)))
    throw notFound("carrier");
  await genuine(c, { provider, account }, (handshake) =>
    readable(async () => {
      const store = openStore(c, account, { actor: `carrier:${provider}`, request_id: c.get("requestId") });
      const carrier = await carrierBy(c.env, store, provider, credentials);
      if (!carrier?.verifyHandshake) throw new ForgedWebhook("no credentials exist to verify it with");
      await carrier.verifyHandshake(handshake);
    }),
  );
  return connect(c, { account, key: call.toLowerCase() }, SIGNED);
}

/** Returns the session in the handshake's Authorization header. @throws ApiError 400, 401, 429 */
async function shownBy(c: Context<AppEnv>, header: string): Promise<SessionIdentity> {
  const [, token] = /^Bearer +((?:eyJ|sk_live_)\S+)$/i.exec(header) ?? [];
  if (!token) throw invalid("malformed token: expected Bearer with a session's token", "malformed_token");
  const party = await readPartyToken(c.env.SIGNING_KEYS, token, c.get("now"));
  if (!("refused" in party)) return party.session;
  await countFailure(c, "authentication");
  throw badToken();
}

function assertUpgrade(c: Context<AppEnv>): void {
  if (c.req.header("upgrade")?.toLowerCase() !== "websocket") {
    throw new ApiError(426, "upgrade_required", "this address only accepts WebSocket connections", {
      upgrade: "websocket",
    });
  }
}

function connect(
  c: Context<AppEnv>,
  { account, key }: Pick<SessionIdentity, "account" | "key">,
  address = UNSIGNED,
): Promise<Response> {
  const headers = { upgrade: "websocket", [CLIENT_ADDRESS]: clientOf(c) };
  return conversationObject(c.env, account, key).fetch(new Request(address, { headers }));
}

/**
 * Finds the conversation of a client's first frame, and forwards frames in both directions until one side leaves.
 * `proven` is called once the client has shown its token or left.
 */
function passOn(c: Context<AppEnv>, client: WebSocket, proven: () => void): void {
  const waiting = new WaitingFrames();
  let far: WebSocket | "being reached" | null = null;
  const timer = setTimeout(() => leave(CLOSE.timeout, "no frame arrived in time"), FIRST_FRAME_MS);
  const leave = (code: number, reason: string) => {
    proven();
    clearTimeout(timer);
    waiting.take();
    shut(client, code, reason);
    if (far instanceof WebSocket) shut(far, code, reason);
  };
  const reach = async (first: string) => {
    const session = await whose(c, first);
    proven();
    const response = await connect(c, session);
    const socket = response.webSocket;
    if (!socket) throw new TypeError("the conversation opened no socket");
    socket.accept();
    socket.addEventListener("message", ({ data }) => {
      if (client.readyState === WebSocket.OPEN) client.send(data);
    });
    socket.addEventListener("close", ({ code, reason }) => leave(code, reason));
    socket.addEventListener("error", () => leave(CLOSE.failure, "the connection to the conversation was lost"));
    far = socket;
    if (client.readyState !== WebSocket.OPEN) return shut(socket, CLOSE.failure, "the client left");
    for (const frame of waiting.take()) socket.send(frame);
  };
  client.addEventListener("message", ({ data }) => {
    if (typeof data !== "string") return leave(CLOSE.binary, "frames must be JSON text");
    if (far instanceof WebSocket) {
      // Frames that arrive while the socket is being closed are dropped.
      if (far.readyState === WebSocket.OPEN) far.send(data);
      return;
    }
    const refused = waiting.add(data);
    if (refused) return leave(...refused);
    if (far !== null) return;
    far = "being reached";
    clearTimeout(timer);
    reach(data).catch((error: unknown) => {
      const { code, reason } = closing(error);
      leave(code, reason);
    });
  });
  client.addEventListener("close", ({ code, reason }) => leave(code, reason));
  client.addEventListener("error", () => leave(CLOSE.failure, "the client was cut off"));
}

/** The frames of a client until its conversation is reached, in order. */
export class WaitingFrames {
  #frames: string[] = [];
  #count = 0;
  #chars = 0;

  /** Keeps a frame. Returns why the socket must be closed instead if there are too many. */
  add(frame: string): [code: number, reason: string] | null {
    this.#count++;
    this.#chars += frame.length;
    if (this.#chars > MAX_WAITING_CHARS) return [CLOSE.too_large, "the frame is too large"];
    if (this.#count > MAX_WAITING_FRAMES) return [CLOSE.too_many, "too many frames at once"];
    this.#frames.push(frame);
    return null;
  }

  /** Returns the frames and removes them. */
  take(): string[] {
    return this.#frames.splice(0);
  }
}

/** Returns the session of a first frame. @throws BadFrame, Refusal */
async function whose(c: Context<AppEnv>, text: string): Promise<SessionIdentity> {
  try {
    return (await readParty(c.env.SIGNING_KEYS, parseFrame(text), Date.now())).session;
  } catch (error) {
    // A client that tries many tokens is refused at the next handshake.
    if (error instanceof BadTokenRefusal) await countFailure(c, "authentication").catch(() => {});
    throw error;
  }
}

function closing(error: unknown): { code: number; reason: string } {
  if (error instanceof BadFrame) return { code: CLOSE.malformed, reason: error.message };
  if (error instanceof Refusal) return { code: error.code, reason: error.message };
  return { code: CLOSE.failure, reason: "an error in the service" };
}

/** Closes a socket, with a code that may be sent (RFC 6455, 7.4.1). */
function shut(socket: WebSocket, code: number, reason: string): void {
  const sendable = code === 1000 || (code >= 1007 && code <= 1014) || code === 1003 || (code >= 3000 && code < 5000);
  try {
    socket.close(sendable ? code : code === 1005 ? 1000 : CLOSE.failure, reason.slice(0, 120));
  } catch {
    // The socket is already closed.
  }
}

/** The most sockets of one address that have not yet shown a token. */
export const UNPROVEN_OF_ADDRESS = 20;

const open = new Map<string, number>();

/**
 * Counts a socket without a token until the returned function is called. Each isolate counts its own. @throws ApiError
 * 429 if its address has too many
 */
function countUnproven(c: Context<AppEnv>): () => void {
  if (c.env.RATE_LIMITS === "off") return () => {};
  const client = clientOf(c);
  const count = open.get(client) ?? 0;
  if (count >= UNPROVEN_OF_ADDRESS)
    throw tooMany("rate_limited", "this address has too many sockets without a token", FIRST_FRAME_MS);
  open.set(client, count + 1);
  let isCounted = true;
  return () => {
    if (!isCounted) return;
    isCounted = false;
    const left = (open.get(client) ?? 1) - 1;
    if (left > 0) open.set(client, left);
    else open.delete(client);
  };
}
