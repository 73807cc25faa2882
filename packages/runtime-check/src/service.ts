import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { Client } from "./client.ts";

export const GREETING = "Hello, this is the runtime check.";
const ACCOUNT_SID = "AC00000000000000000000000000000001";
const AUTH_TOKEN = "runtime-check";
const ORIGIN = "http://localhost:8790";
/** How long the service may take to place the call at its carrier, ms. */
const PLACED_WITHIN_MS = 10_000;

export interface Turn {
  role: "user" | "agent" | "tool";
  text: string;
}

/** A conversation's record. */
export interface Conversation {
  id: string;
  status: "live" | "ended";
  end_reason: string | null;
  complete: boolean;
  turns: Turn[];
}

/** A call or visit that the service has begun. */
export interface Begun {
  token: string;
  call_id: string;
  /** The address of the built-in runtime, if the call is connected to it. */
  url?: string;
  /** The headers of the handshake: Twilio's signature for a call, none for a visit. */
  headers: Record<string, string>;
  greeted?: boolean;
  /** Reads the conversation's record; null if there is none yet. */
  record(): Promise<Conversation | null>;
  /** Ends the call or visit through the API. */
  hangUp(): Promise<void>;
}

/** A running Switchboard as used by a customer's key, with an agent created for the check and deleted afterwards. */
export class Service {
  readonly #url: string;
  readonly #runtimeUrl: string;
  readonly #key: string;
  readonly #client: Client;
  readonly #created: string[] = [];
  #agent = "";

  private constructor(url: string, key: string, runtimeUrl: string) {
    this.#url = url;
    this.#key = key;
    this.#runtimeUrl = runtimeUrl;
    this.#client = new Client(url, { authorization: `Bearer ${key}` });
  }

  /** Prepares checks of the runtime at `runtimeUrl`. @throws Error with the answer if the key lacks a scope */
  static async open(url: string, key: string, runtimeUrl: string): Promise<Service> {
    const service = new Service(url.replace(/\/+$/, ""), key, runtimeUrl);
    service.#agent = await service.#make("/api/v1/agents", {
      name: "Runtime check",
      status: "active",
      auth_mode: "public",
      greeting_message: GREETING,
    });
    return service;
  }

  /** Prepares calls by a stand-in for Twilio at `carrierUrl`, which must be the service's TWILIO_API_URL. */
  async phone(carrierUrl: string): Promise<{ begin(): Promise<Begun>; close(): Promise<void> }> {
    const carrier = await StandInTwilio.open(Number(new URL(carrierUrl).port));
    const credentials_id = await this.#make("/api/v1/telephony/providers", {
      provider: "twilio",
      credentials: { account_sid: ACCOUNT_SID, auth_token: AUTH_TOKEN },
    });
    const from_number = `+1500555${String(Math.floor(Math.random() * 10_000)).padStart(4, "0")}`;
    await this.#make("/api/v1/telephony/numbers", { e164: from_number, credentials_id, agent_id: this.#agent });
    const order = { agent_id: this.#agent, from_number };
    let calls = 0;
    return {
      begin: async () => {
        const to_number = `+120255501${String(10 + calls++)}`;
        const placed = carrier.next(carrierUrl);
        placed.catch(() => {});
        const { call_id } = await this.#client.post<{ call_id: string }>("/api/v1/calls/originate", {
          ...order,
          to_number,
        });
        const { token, url, greeted } = await placed;
        const own = this.#ownRuntime(url);
        const signature = createHmac("sha1", AUTH_TOKEN).update(url).digest("base64");
        return {
          token,
          call_id,
          greeted,
          ...(own !== null && { url: own }),
          headers: { "x-twilio-signature": signature },
          record: () => this.#record(`call_id=${call_id}`),
          hangUp: async () => {
            await this.#client.post(`/api/v1/calls/${call_id}/hangup`).catch(() => {});
          },
        };
      },
      close: () => carrier.close(),
    };
  }

  /** Begins a visit of a guest to the agent's widget. */
  async guest(): Promise<Begun> {
    const { id, key } = await this.#client.post<{ id: string; key: string }>("/api/v1/widget-keys", {
      name: "runtime check",
      agent_id: this.#agent,
      domain_allowlist: [ORIGIN],
    });
    this.#created.push(`/api/v1/widget-keys/${id}`);
    const page = new Client(this.#url, { origin: ORIGIN });
    const { access_token, visitor } = await page.post<{ access_token: string; visitor: { id: string } }>(
      "/api/v1/widget/auth/guest",
      { client_key: key },
    );
    const runtime = new Client(this.#url, { authorization: `Bearer ${this.#key}`, "x-visitor-token": access_token });
    return {
      token: access_token,
      call_id: visitor.id,
      headers: {},
      record: () => this.#record(`agent_id=${this.#agent}`, visitor.id),
      hangUp: async () => {
        await runtime.post("/api/runtime/v1/session/hangup");
      },
    };
  }

  /** Deletes the resources that were created, as far as the service allows. */
  async clear(): Promise<void> {
    for (const path of this.#created.reverse()) await this.#client.delete(path).catch(() => {});
  }

  /**
   * Returns the address of the built-in runtime from a call's instructions; null if they lead elsewhere.
   * @throws Error if another runtime was to be checked
   */
  #ownRuntime(url: string): string | null {
    const { pathname } = new URL(url);
    if (!/^\/runtime(\/twilio\/|$)/.test(pathname)) return null;
    const checked = new URL(this.#runtimeUrl);
    if (checked.pathname === "/runtime") return new URL(pathname, checked).href;
    const why = "calls come with a carrier's token, which opens no session";
    throw new Error(`the service holds calls itself, and ${why}: start it with VOICE_RUNTIME_URL=${this.#runtimeUrl}`);
  }

  async #make(path: string, body: object): Promise<string> {
    const { id } = await this.#client.post<{ id: string }>(path, body);
    this.#created.push(`${path}/${id}`);
    return id;
  }

  async #record(query: string, visitorId?: string): Promise<Conversation | null> {
    const { conversations } = await this.#client.get<{ conversations: { id: string; visitor_id: string | null }[] }>(
      `/api/v1/conversations?${query}`,
    );
    const one = conversations.find(({ visitor_id }) => visitorId === undefined || visitor_id === visitorId);
    return one ? this.#client.get<Conversation>(`/api/v1/conversations/${one.id}`) : null;
  }
}

/** Accepts calls as Twilio does without connecting them, because the check connects them itself. */
class StandInTwilio {
  readonly #server: Server;
  #placed: (order: Instructions) => void = () => {};
  #calls = 0;
  readonly #ended = new Set<string>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(port: number): Promise<StandInTwilio> {
    const server = createServer();
    const carrier = new StandInTwilio(server);
    server.on("request", async (request, answer) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      const reply = carrier.#answer(request.method ?? "", request.url ?? "", new URLSearchParams(body));
      answer.writeHead(reply === null ? 404 : 200, { "content-type": "application/json" });
      answer.end(JSON.stringify(reply ?? { code: 20404, message: "not found" }));
    });
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return carrier;
  }

  /** Returns the token and address from the next call's instructions. @throws Error if none arrive */
  next(carrierUrl: string): Promise<Instructions> {
    return new Promise((resolve, reject) => {
      const why = `the service placed no call: was it started with TWILIO_API_URL=${carrierUrl}?`;
      const timer = setTimeout(() => reject(new Error(why)), PLACED_WITHIN_MS);
      this.#placed = (order) => {
        clearTimeout(timer);
        resolve(order);
      };
    });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  #answer(method: string, url: string, form: URLSearchParams): object | null {
    const [, sid] = /\/Calls\/(\w+)\.json/.exec(url) ?? [];
    if (sid !== undefined) {
      if (method === "POST") this.#ended.add(sid);
      return { sid, status: this.#ended.has(sid) ? "completed" : "in-progress" };
    }
    if (method === "POST" && /\/Calls\.json$/.test(url)) {
      this.#placed(instructionsIn(form.get("Twiml") ?? ""));
      return { sid: `CA${String(++this.#calls).padStart(32, "0")}`, status: "queued" };
    }
    if (/\/Calls\.json\?/.test(url)) return { calls: [] };
    return { status: "active" };
  }
}

/** The content of a call's instructions: token, runtime address, and whether the carrier speaks the greeting. */
interface Instructions {
  token: string;
  url: string;
  greeted: boolean;
}

function instructionsIn(xml: string): Instructions {
  const text = (escaped = "") => escaped.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  const [, token] = /name="session_token" value="([^"]*)"/.exec(xml) ?? [];
  const [, url] = /<(?:Stream|ConversationRelay)\b[^>]*? url="([^"]*)"/.exec(xml) ?? [];
  return { token: text(token), url: text(url), greeted: xml.includes(" welcomeGreeting=") };
}
