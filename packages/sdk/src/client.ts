import {
  Agents,
  Budgets,
  Calls,
  DoNotCall,
  Erasures,
  Faqs,
  Integrations,
  Marketplace,
  Numbers,
  Playbooks,
  Providers,
  Recordings,
  Tools,
  Webhooks,
  WidgetKeys,
} from "./operations.ts";
import { Account } from "./resources/account.ts";
import { AgentTests } from "./resources/agent-tests.ts";
import { ApiKeys } from "./resources/api-keys.ts";
import { Campaigns } from "./resources/campaigns.ts";
import { Conversations } from "./resources/conversations.ts";
import { Events } from "./resources/events.ts";
import { Knowledge } from "./resources/knowledge.ts";
import { Transport } from "./transport.ts";
import type { Answer, Init, Method, PathOf } from "./types.ts";

/** How to reach the service. */
export interface SwitchboardOptions {
  /** The service's address, such as `https://voice.example.com`; "" on a page of the service itself. */
  baseUrl: string;
  /**
   * An API key (`sk_live_…`), a session's access token, or a function that returns one. Without it, only public
   * operations work.
   */
  apiKey?: string | (() => string | Promise<string>) | undefined;
  /** The account, required with a session's token. A key names its own account. */
  account?: string | undefined;
  /** Replaces the global `fetch`. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** How long an attempt may take until its answer begins, ms; default 60,000. */
  timeoutMs?: number | undefined;
  /** How often a failed request is repeated if that is safe; default 1. */
  maxRetries?: number | undefined;
}

export class Switchboard {
  readonly #transport: Transport;
  readonly agents: Agents;
  readonly agentTests: AgentTests;
  readonly tools: Tools;
  readonly playbooks: Playbooks;
  readonly faqs: Faqs;
  readonly knowledge: Knowledge;
  readonly marketplace: Marketplace;
  readonly integrations: Integrations;
  readonly numbers: Numbers;
  readonly providers: Providers;
  readonly calls: Calls;
  readonly conversations: Conversations;
  readonly recordings: Recordings;
  readonly events: Events;
  readonly budgets: Budgets;
  readonly erasures: Erasures;
  readonly doNotCall: DoNotCall;
  readonly apiKeys: ApiKeys;
  readonly widgetKeys: WidgetKeys;
  readonly account: Account;
  readonly campaigns: Campaigns;
  readonly webhooks: Webhooks;

  constructor({ baseUrl, apiKey, account, fetch, timeoutMs, maxRetries }: SwitchboardOptions) {
    if (typeof baseUrl !== "string" || !(baseUrl === "" || /^https?:\/\/./.test(baseUrl)))
      throw new TypeError("baseUrl: give the service's address, such as https://voice.example.com");
    const authorize = async () => {
      const headers: Record<string, string> = {};
      const token = typeof apiKey === "function" ? await apiKey() : apiKey;
      if (token !== undefined) headers.authorization = `Bearer ${token}`;
      if (account !== undefined) headers["x-account-id"] = account;
      return { headers };
    };
    const newKey = () => crypto.randomUUID();
    const transport = new Transport({ baseUrl, authorize, fetch, timeoutMs, maxRetries, newKey });
    this.#transport = transport;
    this.agents = new Agents(transport);
    this.agentTests = new AgentTests(transport);
    this.tools = new Tools(transport);
    this.playbooks = new Playbooks(transport);
    this.faqs = new Faqs(transport);
    this.knowledge = new Knowledge(transport);
    this.marketplace = new Marketplace(transport);
    this.integrations = new Integrations(transport);
    this.numbers = new Numbers(transport);
    this.providers = new Providers(transport);
    this.calls = new Calls(transport);
    this.conversations = new Conversations(transport);
    this.recordings = new Recordings(transport);
    this.events = new Events(transport);
    this.budgets = new Budgets(transport);
    this.erasures = new Erasures(transport);
    this.doNotCall = new DoNotCall(transport);
    this.apiKeys = new ApiKeys(transport);
    this.widgetKeys = new WidgetKeys(transport);
    this.account = new Account(transport);
    this.webhooks = new Webhooks(transport);
    this.campaigns = new Campaigns(transport);
  }

  /** Calls any operation of the API, typed by its OpenAPI document. @throws SwitchboardError */
  request<M extends Method, P extends PathOf<M>>(method: M, path: P, ...init: Init<M, P>): Promise<Answer<M, P>> {
    return this.#transport.request(method, path, ...init);
  }

  /** Calls any operation and also returns the response's headers. @throws SwitchboardError */
  send<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    ...init: Init<M, P>
  ): Promise<{ data: Answer<M, P>; response: Response }> {
    return this.#transport.send(method, path, ...init);
  }
}
