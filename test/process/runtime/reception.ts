import { setTimeout as sleep } from "node:timers/promises";
import { ApiClient } from "../../../src/dev/client.ts";
import { LONG_PASSWORD, OPERATOR } from "../../../src/dev/demo-data.ts";
import { signText } from "../../../src/kernel/secrets/tokens.ts";
import { issueRuntimeToken } from "../../../src/phone/calls/call-token.ts";
import type { Service } from "../campaigns/service.ts";

/** The purpose for which the sandbox signs. Importing the service's constant would need the Workers runtime. */
const SANDBOX_WEBHOOK = "sandbox-webhook";
const NUMBER = "+12025550100";
/** Caps high enough to have no effect. */
const CAPS = { concurrent_calls: 10_000, calls_per_minute: 100_000, calls_per_day: 1_000_000 };

export const GREETING = "Hello, this is Acme.";

/** The service's response to a carrier that announces a call for one of its numbers. */
export interface Taken {
  call_id: string;
  session_token: string;
  webhook_url: string;
  provider_call_id: string;
}
export interface Turn {
  seq: number;
  role: "user" | "agent" | "tool";
  text: string;
  interrupted: boolean;
  tool_call: { tool_call_id: string; run_id: string | null; name: string; state: string; ok: boolean | null } | null;
}
export interface Conversation {
  id: string;
  status: string;
  end_reason: string | null;
  complete: boolean;
  disposition: string | null;
  turn_count: number;
  usage: { input_tokens: number; output_tokens: number };
  turns: Turn[];
}

/**
 * An account with a number that an agent answers, and the sandbox that brings its calls. It represents both ends of the
 * line.
 */
export class Reception {
  readonly service: Service;
  readonly account: string;
  readonly agentId: string;
  readonly #client: ApiClient;
  readonly #signingKeys: string;

  private constructor(service: Service, account: string, agentId: string, client: ApiClient, signingKeys: string) {
    this.service = service;
    this.account = account;
    this.agentId = agentId;
    this.#client = client;
    this.#signingKeys = signingKeys;
  }

  static async open(service: Service, signingKeys: string): Promise<Reception> {
    const anybody = new ApiClient(service.url, fetch);
    const operator = await anybody.signIn(OPERATOR);
    const name = `talk-${crypto.randomUUID().slice(0, 8)}`;
    const email = `owner@${name}.example`;
    await operator.post("/api/admin/v1/accounts", { name, plan: "scale", caps: CAPS });
    await operator.post(`/api/admin/v1/accounts/${name}/users`, { email, password: LONG_PASSWORD });
    const client = await anybody.signIn({ account: name, email }, LONG_PASSWORD);
    const agent = await client.post<{ id: string }>("/api/v1/agents", {
      name: "Reception",
      status: "active",
      greeting_message: GREETING,
      // On a slow machine, the agent would otherwise say that it needs a moment.
      filler_after_ms: 0,
    });
    await client.post("/api/v1/telephony/numbers", { e164: NUMBER, provider: "sandbox", agent_id: agent.id });
    return new Reception(service, name, agent.id, client, signingKeys);
  }

  /**
   * Announces a call from this number, and repeats that until the service responds. Because of the carrier's id, the
   * repetitions are one call.
   */
  async ring(from_number: string): Promise<Taken> {
    const provider_call_id = crypto.randomUUID();
    const url = `${this.service.url}/api/telephony/inbound/sandbox/${this.account}`;
    const answer = await this.#insist(url, { provider_call_id, from_number, to_number: NUMBER });
    if (answer.status !== 200) throw new Error(`the call was not taken: ${answer.status} ${answer.text}`);
    return { ...(JSON.parse(answer.text) as Omit<Taken, "provider_call_id">), provider_call_id };
  }

  /** Returns the call's session token as a custom runtime receives it if VOICE_RUNTIME_URL names one. */
  runtimeToken({ call_id }: Pick<Taken, "call_id">): Promise<string> {
    const call = { call_id, account: this.account, agent_id: this.agentId, campaign_id: null };
    return issueRuntimeToken(this.#signingKeys, call, 7200, Date.now());
  }

  /** Reports that the caller has hung up, and repeats that until the report is accepted. */
  async hangUp({ webhook_url, provider_call_id }: Taken): Promise<void> {
    const report = { provider_call_id, status: "completed", answered_by: "human", reason: "hung_up", recording: null };
    const answer = await this.#insist(webhook_url, report);
    if (answer.status >= 300) throw new Error(`the report was refused: ${answer.status} ${answer.text}`);
  }

  async #insist(url: string, body: object): Promise<{ status: number; text: string }> {
    const raw = JSON.stringify(body);
    const signature = await signText(this.#signingKeys, SANDBOX_WEBHOOK, `${url}\n${raw}`);
    const headers = { "content-type": "application/json", "x-sandbox-signature": signature };
    for (;;) {
      const answer = await fetch(url, { method: "POST", headers, body: raw })
        .then(async (response) => ({ status: response.status, text: await response.text() }))
        .catch(() => null);
      if (answer && answer.status < 500) return answer;
      await sleep(50);
    }
  }

  get = <T>(path: string) => this.#client.get<T>(path);
  post = <T>(path: string, body: object) => this.#client.post<T>(path, body);
  patch = <T>(path: string, body: object) => this.#client.send<T>("PATCH", path, body);

  /** Returns the conversation on a call, with its transcript. */
  async conversation({ call_id }: Pick<Taken, "call_id">): Promise<Conversation> {
    const list = await this.get<{ conversations: Conversation[] }>(`/api/v1/conversations?call_id=${call_id}`);
    const [held, second] = list.conversations;
    if (!held || second) throw new Error(`${list.conversations.length} conversations on call ${call_id}`);
    return this.get<Conversation>(`/api/v1/conversations/${held.id}`);
  }

  /** Returns the numbers on the do-not-call list. */
  async neverCalled(): Promise<string[]> {
    const { numbers } = await this.get<{ numbers: { phone_number: string }[] }>("/api/v1/do-not-call?limit=100");
    return numbers.map(({ phone_number }) => phone_number);
  }
}
