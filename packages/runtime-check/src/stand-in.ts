import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Ledger } from "./ledger.ts";

/** What happens to a request: it fails, its answer is lost, it is never answered, or the session has ended. */
export type Fault = "500" | "lost" | "hang" | "ended";

/** How long an unanswered request is held open, ms: longer than any runtime should wait. */
const HANG_MS = 60_000;
const MAX_BODY_BYTES = 4 * 1024 * 1024;

export const GREETING = "Hello, this is the runtime check of Switchboard. How can I help?";

/** An issued session, and what its runtime has done. */
export interface Session {
  readonly token: string;
  readonly call_id: string;
  readonly ledger: Ledger;
  /** Faults of the next requests for the session, and of the next requests with events. */
  readonly sessionFaults: Fault[];
  readonly eventFaults: Fault[];
  /** Whether requests with events get the answer that the session has ended. */
  over: boolean;
  /** When (ms) the runtime requested the session, and when it first got it. */
  readonly requestedAt: number[];
  givenAt: number | null;
  /** When (ms) requests with events arrived after the end. */
  readonly afterTheEnd: number[];
  readonly hangups: number[];
  readonly transfers: string[];
}

/** Switchboard's side of the runtime contract on this machine: issues sessions and checks reports. */
export class StandIn {
  readonly #server: Server;
  readonly #sessions = new Map<string, Session>();
  readonly #kind: "call" | "widget";
  /** Requests without an issued token. */
  readonly strangers: string[] = [];

  private constructor(server: Server, kind: "call" | "widget") {
    this.#server = server;
    this.#kind = kind;
  }

  /** @throws Error if the port is taken */
  static async open(port: number, kind: "call" | "widget"): Promise<StandIn> {
    const server = createServer();
    const standIn = new StandIn(server, kind);
    server.on("request", (request, answer) => {
      standIn.#serve(request, answer).catch(() => answer.destroy());
    });
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return standIn;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Issues a session, which begins with the first request that has its token. */
  issue(faults: { session?: Fault[]; events?: Fault[] } = {}): Session {
    const call_id = crypto.randomUUID();
    const session: Session = {
      token: tokenOf(this.#kind, call_id),
      call_id,
      ledger: new Ledger(),
      sessionFaults: faults.session ?? [],
      eventFaults: faults.events ?? [],
      over: false,
      requestedAt: [],
      givenAt: null,
      afterTheEnd: [],
      hangups: [],
      transfers: [],
    };
    this.#sessions.set(session.token, session);
    return session;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #serve(request: IncomingMessage, answer: ServerResponse): Promise<unknown> {
    const { method = "", url = "" } = request;
    const body = await bodyOf(request);
    const [, shown = ""] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
    const token = this.#kind === "call" ? shown : visitorTokenIn(request, shown);
    const session = this.#sessions.get(token);
    if (!session && this.#sessions.has(shown)) {
      this.strangers.push(
        `${method} ${url} with a visitor's token alone: send an API key, and the token in X-Visitor-Token`,
      );
      return reply(answer, 403, "a visitor's token alone does not authorize a runtime", "not_a_runtime");
    }
    if (!session) {
      this.strangers.push(`${method} ${url} with ${token === "" ? "no token" : "an unknown token"}`);
      return reply(answer, 401, "the token is unknown", "bad_token");
    }
    switch (`${method} ${url.split("?")[0]}`) {
      case "GET /api/runtime/v1/session":
        return this.#giveSession(session, answer);
      case "POST /api/runtime/v1/session/events":
        return takeEvents(session, body, answer);
      case "POST /api/runtime/v1/session/hangup":
        session.hangups.push(Date.now());
        return reply(answer, 204);
      case "POST /api/runtime/v1/session/transfer": {
        const { to_number } = JSON.parse(body) as { to_number: string };
        session.transfers.push(to_number);
        return reply(answer, 200, { to_number });
      }
      default:
        return reply(answer, 404, "there is no such endpoint", "not_found");
    }
  }

  #giveSession(session: Session, answer: ServerResponse): ServerResponse {
    session.requestedAt.push(Date.now());
    const fault = session.sessionFaults.shift();
    if (fault === "500") return reply(answer, 500, "something went wrong", "internal");
    if (fault === "ended" || session.over) return reply(answer, 403, "the session has ended", "session_ended");
    session.givenAt ??= Date.now();
    return reply(answer, 200, snapshot(this.#kind, session.call_id));
  }
}

function takeEvents(session: Session, body: string, answer: ServerResponse): ServerResponse {
  const { ledger } = session;
  if (session.over) {
    session.afterTheEnd.push(Date.now());
    return reply(answer, 403, "the session has ended", "session_ended");
  }
  switch (session.eventFaults.shift()) {
    case "500":
      ledger.take(body, { answered: false });
      return reply(answer, 500, "something went wrong", "internal");
    case "lost":
      ledger.take(body, { answered: false, kept: true });
      return answer.destroy();
    case "hang":
      ledger.take(body, { answered: false });
      setTimeout(() => answer.destroy(), HANG_MS).unref();
      return answer;
    case "ended":
      session.over = true;
      session.afterTheEnd.push(Date.now());
      return reply(answer, 403, "the session has ended", "session_ended");
  }
  const taken = ledger.take(body);
  if ("status" in taken)
    return reply(answer, taken.status, taken.error, taken.status === 413 ? "too_large" : "invalid");
  return reply(answer, 200, taken);
}

/** Returns the visitor's token beside an API key. Any key is accepted here. */
function visitorTokenIn({ headers }: IncomingMessage, key: string): string {
  const token = headers["x-visitor-token"];
  return key.startsWith("sk_live_") && typeof token === "string" ? token : "";
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_BODY_BYTES) throw new Error("the body is too large");
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}

function reply(answer: ServerResponse, status: number, body?: object | string, code?: string): ServerResponse {
  const headers = { "content-type": "application/json", ...(code !== undefined && { "x-error-code": code }) };
  return answer.writeHead(status, headers).end(body === undefined ? undefined : JSON.stringify(body));
}

/** Returns an unsigned token as long as a real one. A runtime passes it on without reading it. */
function tokenOf(kind: "call" | "widget", sub: string): string {
  const now = Math.floor(Date.now() / 1000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const aud = kind === "call" ? "runtime" : "visitor";
  const claims = { iss: "http://127.0.0.1", aud, sub, account: "check", agent_id: sub, iat: now, exp: now + 3600 };
  return `${part({ alg: "ES256", kid: "check" })}.${part(claims)}.${Buffer.alloc(64, 7).toString("base64url")}`;
}

/** The text that a runtime must say before its first word. */
export const DISCLOSURE = "You are talking to an AI assistant.";

/** Returns a runtime's session (GET /api/runtime/v1/session). */
function snapshot(kind: "call" | "widget", id: string): object {
  return {
    session_id: id,
    kind,
    account: "check",
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    disclosure: { text: DISCLOSURE, language: "en", spoken: false },
    call:
      kind === "widget"
        ? null
        : {
            id,
            direction: "outbound",
            from_number: "+12025550100",
            to_number: "+12025550199",
            provider: "twilio",
            campaign_id: null,
            contact_id: null,
          },
    visitor: kind === "call" ? null : { id: `guest-${id}`, type: "guest" },
    agent: {
      id,
      name: "Check",
      llm_model: "gpt-4o-mini",
      voice_provider: "elevenlabs",
      voice_id: "",
      system_prompt: "You are friendly and answer whatever you are asked in one short sentence.",
      greeting_message: GREETING,
      greeting_mode: "interruptible",
      background_audio_enabled: false,
      background_audio_volume: 0,
      noise_suppression_enabled: false,
      ringing_enabled: false,
      transfer_targets: [],
      max_output_tokens: 1_000,
      filler_after_ms: 1_500,
      language: "en-US",
      languages: [],
      key_terms: [],
      phrases: {
        silence: null,
        apology: null,
        goodbye: null,
        filler: null,
        budget: null,
        unavailable: null,
        no_answer: null,
        filtered: null,
        resumed: null,
        time_up: null,
      },
      storage: "all",
      redact: [],
      prompt_id: null,
    },
    timezone: "UTC",
    local_time: { date: "2026-11-21", time: "14:05", weekday: "Saturday" },
    variables: {},
    missing_variables: [],
    playbooks: [],
    faqs: [],
    tools: [],
    unavailable_tools: [],
    limits: { max_duration_s: 3600 },
  };
}
