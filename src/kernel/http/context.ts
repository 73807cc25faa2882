import type { Context } from "hono";
import type { AccountStore, Author } from "../db/account-store.ts";
import type { Authority, OperatorScope, Scope, ScopeChoice } from "../scopes.ts";
import type { Credential, KeyTerms, OperatorTerms } from "./credential.ts";
import type { InServiceRead } from "./in-service.ts";

/**
 * The environment of handlers: everything except the database, which is accessed only through AccountStore and the
 * look-ups. It adds optional secrets to the generated types.
 */
export type Bindings = Omit<Env, "DB"> & OptionalSecrets & OptionalBindings;

/** Bindings that a deployment may omit. */
interface OptionalBindings {
  /** Sends mail; see wrangler.toml. */
  EMAIL?: Pick<SendEmail, "send">;
  /**
   * The hashes of this release's migrations by name, as a JSON object. The program that deploys or starts the service
   * sets them.
   */
  MIGRATION_HASHES?: string;
}

export interface OptionalSecrets {
  OIDC_CLIENT_SECRET?: string;
  PASSWORD_PEPPER?: string;
  /** The token that scrapers of /metrics send. Without it there are no metrics. */
  METRICS_TOKEN?: string;
  LLM_API_KEY?: string;
  OPENAI_API_KEY?: string;
  ANTHROPIC_API_KEY?: string;
}

/**
 * Who may call an endpoint:
 * - `public`: any client
 * - `account`: an API key or a console user of the account
 * - `console`: a console user only
 * - `session`: a console user of an account, or an operator, for their own session
 * - `server`: an API key only
 * - `operator`: a console user with X-Account-ID `service-admin`, or an operator's token if `operatorScopes` allows it
 * - `runtime`: an account's own runtime, with a call's session token, or with an API key and X-Visitor-Token
 */
export type Access = "public" | "account" | "console" | "session" | "server" | "operator" | "runtime";

/** Admits a request to an endpoint and binds it to its account. Throws the error if the request is refused. */
export type Admit = (c: Context<AppEnv>, endpoint: Door) => Promise<void>;

/**
 * Who enforces the agents to which an API key is limited: `path` if the path's `id` is the agent's, `handler` if the
 * handler checks them.
 */
export type OfAgents = "path" | "handler";

/** The requirements of an endpoint. */
export interface Door {
  access: Access;
  scope: readonly Scope[];
  scopeIfNamed?: ScopeChoice;
  ofAgents?: OfAgents;
  operatorScopes?: readonly OperatorScope[];
  limit?: "public";
  withoutSecondFactor?: true;
}

/**
 * The functions that admit requests to `runtime` endpoints, requests to all other endpoints, and readers who were
 * admitted before. app.ts supplies them, because the kernel imports no other folder.
 */
export interface Admissions {
  runtime: Admit;
  account: Admit;
  reader(c: Context<AppEnv>, account: string, credential: Credential): Promise<{ view: string; authority: Authority }>;
}

/**
 * Creates the read that tells where an account's agents are in service at `now` (ms). app.ts supplies it, because it
 * needs carriers and the widget, which the code that uses it does not import.
 */
export type InServiceReads = (env: Bindings, store: AccountStore, now: number) => InServiceRead;

/** A console session: its id, its beginning (ms) and its latest end (ms). */
export interface ConsoleSession {
  id: string;
  embedded: boolean;
  issuedAt: number;
  expiresAt: number;
  /** Sessions in other accounts that the same token opens, and that sign out together with it. */
  elsewhere: SessionElsewhere[];
  /** The account in which the session began and is renewed. */
  home: string;
}

/** A session in another account; `expiresAt` is in ms. */
export interface SessionElsewhere {
  account: string;
  id: string;
  user: string;
  expiresAt: number;
}

/** The verified caller. */
export interface Principal extends Authority {
  kind: "api_key" | "console" | "operator_token";
  account: string;
  /** The id of the key or token, or the console user's subject. */
  subject: string;
  /**
   * The caller view at admission (`callerViewOf`). A response or stream of another caller view must not be
   * given to the caller.
   */
  callerView: string;
  /** The SHA-256 of an API key. */
  key: string | null;
  /** The terms of an API key; null for a console user. */
  keyTerms: KeyTerms | null;
  /** The terms of an operator's token; null for all other callers. */
  operatorTerms: OperatorTerms | null;
  /** The session of a console user; null for an API key or token. */
  session: ConsoleSession | null;
}

/**
 * The requester of a token that acts elsewhere on their behalf. A key is named by the id of its row, so that a page
 * with the token learns nothing about the key. Times are in ms.
 */
export type CredentialHolder =
  | { key_id: string; view: string }
  | {
      user: string;
      session: string;
      embedded: boolean;
      issued_at: number;
      /** The session's latest end. */
      expires_at: number;
      /** The requester's caller view (`Principal`) at the time of the request. */
      view: string;
    };

/**
 * The person in a session's conversation: a caller, a visitor or a tester, as opposed to the caller of the API. Times
 * are in ms.
 */
export type SessionIdentity = (CallIdentity | VisitorIdentity | TesterIdentity) & {
  account: string;
  agent_id: string;
  /** The key of the conversation's object: the call's id, the id of the visitor's sign-in, or the test's own id. */
  key: string;
  issued_at: number;
  expires_at: number;
};

interface CallIdentity {
  kind: "call";
  call_id: string;
  campaign_id: string | null;
}

interface VisitorIdentity {
  kind: "widget";
  visitor: { id: string; type: "guest" | "user" };
  key_id: string;
  /** The page's origin; null if no page sent the request. */
  origin: string | null;
  /** The id of the API key that signed the user in; null for a guest. */
  made_by: string | null;
}

/** A member of the account who tests the agent. */
interface TesterIdentity {
  kind: "test";
  /** The tester, in the form of the audit log's actors. */
  visitor: { id: string; type: "user" };
  holder: CredentialHolder;
  /** The variables for the agent's texts. */
  variables: Record<string, string>;
  /** The version of the agent to test: the draft, the published one, or one by number. */
  version: "draft" | "live" | number;
}

/**
 * A customer's own runtime that runs the session's conversation: it reads the prompt, runs tools and writes turns. It
 * never is the person in the conversation.
 */
export interface OwnRuntime {
  trust: "runtime";
  session: SessionIdentity;
  /** The id of the runtime's API key; null for a call's session token. */
  api_key_id: string | null;
  /** Whether the call's carrier has already spoken the disclosure. */
  disclosed: boolean;
}

/** A stored response. */
export interface KeptAnswer {
  status: number;
  /** Headers by lower-case name. */
  headers: Record<string, string>;
  body: string | null;
}

/** A request with an idempotency key: the key, the request's content, and this attempt. */
export interface KeyedRequest {
  /** A hash of the key and the principal. */
  id: string;
  /** A hash of method, path, query and body. */
  fingerprint: string;
  /** The id of this attempt. */
  holder: string;
}

/** How to handle a request with an idempotency key. */
export type KeyVerdict =
  | {
      outcome: "carry_out";
      resource_id: string;
      /** Whether an earlier attempt may already have created the resource. */
      again: boolean;
    }
  /** `answer` is null if the response was too long to store. */
  | { outcome: "replay"; answer: KeptAnswer | null }
  | { outcome: "conflict" | "in_progress" | "full" };

/** The outcome of an attempt: a response to store, or a failure after which a retry may succeed. */
export type KeyOutcome =
  | { keep: KeptAnswer | null }
  | {
      /** Whether a retry creates the same resource, or another one because the first has ended. */
      retry: "same_resource" | "new_resource";
    };

/** Stores the responses to requests with idempotency keys. */
export interface IdempotencyKeys {
  begin(request: KeyedRequest): Promise<KeyVerdict>;
  /** Extends the attempt's hold on its key. */
  prolong(request: KeyedRequest): Promise<void>;
  finish(request: KeyedRequest, outcome: KeyOutcome): Promise<void>;
}

export interface Variables {
  requestId: string;
  /** The path of the endpoint as the API reference writes it. */
  route?: string;
  /** The account that a request without a principal refers to, by a webhook's address or a visitor's token. */
  account?: string;
  /** Headers to add to the response (`answerHeader`). */
  headers?: Record<string, string>;
  /** A response that already has all its headers (`jsonResponse`). */
  finished?: Response;
  /** The time of the request, ms. It does not change while a slow body is read. */
  now: number;
  admissions: Admissions;
  inServiceReads: InServiceReads;
  /** The id of the resource that the request creates, if an idempotency key determines it. */
  resourceId?: string;
  principal: Principal;
  /** The runtime that sends the request, and its session. Set for `runtime` endpoints. */
  runtime: OwnRuntime;
  /** The principal in the form of the audit log's actors. */
  author: Author;
  /** The version of the account's configuration under which responses may be cached; null if they may not be. */
  catalogueVersion: string | null;
}

export interface AppEnv {
  Bindings: Bindings;
  Variables: Variables;
}
