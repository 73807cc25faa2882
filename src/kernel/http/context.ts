import type { Context } from "hono";
import type { AccountStore, Author } from "../db/account-store.ts";
import type { Authority, OperatorScope, Scope, ScopeChoice } from "../scopes.ts";
import type { InServiceRead } from "./in-service.ts";
import type { KeyTerms, OperatorTerms, Pass } from "./pass.ts";

/**
 * The part of the environment that handlers may use: everything except the database, which is reached only through
 * AccountStore and the look-ups. Adds the secrets that may be missing to the generated types.
 */
export type Bindings = Omit<Env, "DB"> & OptionalSecrets & OptionalBindings;

/** What a deployment may do without. */
interface OptionalBindings {
  /** Sends mail; see wrangler.toml. */
  EMAIL?: Pick<SendEmail, "send">;
  /** This release's migrations of the database, a JSON object of hashes by name; whatever deploys or starts it sets it. */
  MIGRATION_HASHES?: string;
}

/** Optional secrets. */
export interface OptionalSecrets {
  OIDC_CLIENT_SECRET?: string;
  PASSWORD_PEPPER?: string;
  /** The token that scrapers of /metrics send; without it there are no metrics. */
  METRICS_TOKEN?: string;
  LLM_API_KEY?: string;
  OPENAI_API_KEY?: string;
  ANTHROPIC_API_KEY?: string;
}

/**
 * Who may call an endpoint:
 * - `public`: anybody
 * - `account`: an API key or a console user of the account
 * - `console`: a console user only
 * - `session`: a console user of an account, or an operator, for what concerns their own session
 * - `server`: an API key only
 * - `operator`: a console user with X-Account-ID `service-admin`, or an operator's token where `operatorScopes` says so
 * - `runtime`: a runtime of the account's own: a call's session token, or an API key beside X-Visitor-Token
 */
export type Access = "public" | "account" | "console" | "session" | "server" | "operator" | "runtime";

/** Admits a request to an endpoint and binds it to its account, or throws the refusal. */
export type Admit = (c: Context<AppEnv>, endpoint: Door) => Promise<void>;

/**
 * How an endpoint keeps to the agents that an API key is for: `path` where the path's `id` names the agent, `handler`
 * where the handler sees to it.
 */
export type OfAgents = "path" | "handler";

/** What an endpoint requires of its caller. */
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
 * Who admits requests to `runtime` endpoints, to all others, and readers by their earlier pass; app.ts supplies them,
 * since the kernel imports no wing.
 */
export interface Admissions {
  runtime: Admit;
  account: Admit;
  reader(c: Context<AppEnv>, account: string, pass: Pass): Promise<{ view: string; authority: Authority }>;
}

/**
 * Makes the read that tells where an account's agents are in service; app.ts supplies it, since it takes knowledge of
 * carriers and of the widget, which the wings that show it do not import. `now` in ms.
 */
export type InServiceReads = (env: Bindings, store: AccountStore, now: number) => InServiceRead;

/** A console session: its id, when it began (ms), and when it ends at the latest (ms). */
export interface ConsoleSession {
  id: string;
  embedded: boolean;
  issuedAt: number;
  expiresAt: number;
  /** Sessions that its token opens in other accounts, which sign out with it. */
  elsewhere: SessionElsewhere[];
  /** The account in which the session began and is renewed. */
  home: string;
}

/** A session in another account; `expiresAt` in ms. */
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
  /** Names the authority and its limits, as it was when they came in: what was kept or opened under another is not theirs. */
  view: string;
  /** The SHA-256 of an API key. */
  key: string | null;
  /** Of an API key, null for a console user. */
  keyTerms: KeyTerms | null;
  /** Of an operator's token, null for everybody else. */
  operatorTerms: OperatorTerms | null;
  /** The session of a console user, null for an API key or token. */
  session: ConsoleSession | null;
}

/**
 * Who asked for a token that acts on their behalf elsewhere: a key by its row's id, so that a page holding the token
 * learns nothing about the key. Times are ms.
 */
export type PassHolder =
  | { key_id: string; view: string }
  | {
      user: string;
      session: string;
      embedded: boolean;
      issued_at: number;
      /** When the session ends at the latest. */
      expires_at: number;
      /** The view (`Principal`) at the time of the request. */
      view: string;
    };

/** The other side of a session's conversation: a call, a visitor or a tester; not the caller of the API. Times are ms. */
export type SessionIdentity = (CallIdentity | VisitorIdentity | TesterIdentity) & {
  account: string;
  agent_id: string;
  /** What names the conversation's object: the call's id, the visitor's sign-in, or the test's own id. */
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
  /** The widget key's row id. */
  key_id: string;
  /** The page's, where a page asked. */
  origin: string | null;
  /** The id of the API key that signed the user in; null for a guest. */
  made_by: string | null;
}

/** A member of the account who tries the agent. */
interface TesterIdentity {
  kind: "test";
  /** The actor, as the audit log names it. */
  visitor: { id: string; type: "user" };
  holder: PassHolder;
  /** The variables for the agent's texts. */
  variables: Record<string, string>;
  /** Which version of the agent is tried: what is saved, the one in force, or one by number. */
  version: "draft" | "live" | number;
}

/**
 * A runtime of the account's own, which holds the conversation of the session: it reads the prompt, runs tools and writes
 * turns. The person in the conversation is never one.
 */
export interface OwnRuntime {
  trust: "runtime";
  session: SessionIdentity;
  /** The API key that it shows; null for a call's session token. */
  api_key_id: string | null;
  /** Whether the call's carrier has said what the agent is. */
  disclosed: boolean;
}

/** A stored answer. */
export interface KeptAnswer {
  status: number;
  /** By their names in lower case. */
  headers: Record<string, string>;
  body: string | null;
}

/** A request under an idempotency key: the key, the request's content, and this attempt. */
export interface KeyedRequest {
  /** Of the principal and its key. */
  id: string;
  /** A hash of method, path, query and body. */
  fingerprint: string;
  /** This attempt. */
  holder: string;
}

/** How to handle a request under an idempotency key. */
export type KeyVerdict =
  | {
      outcome: "carry_out";
      /** Of what the request creates. */
      resource_id: string;
      /** Whether an earlier attempt may have created it. */
      again: boolean;
    }
  /** `answer` is null if it was too long to keep. */
  | { outcome: "replay"; answer: KeptAnswer | null }
  | { outcome: "conflict" | "in_progress" | "full" };

/** The outcome of an attempt: an answer to keep, or a failure that a retry may overcome. */
export type KeyOutcome =
  | { keep: KeptAnswer | null }
  | {
      /** Whether the created thing is over, so that a retry creates another. */
      retry: "same_resource" | "new_resource";
    };

/** Stores the answers of requests under idempotency keys. */
export interface IdempotencyKeys {
  begin(request: KeyedRequest): Promise<KeyVerdict>;
  /** Prolongs the attempt. */
  prolong(request: KeyedRequest): Promise<void>;
  finish(request: KeyedRequest, outcome: KeyOutcome): Promise<void>;
}

export interface Variables {
  requestId: string;
  /** The path of the serving endpoint, as the reference writes it. */
  route?: string;
  /** Whose rows were opened for it, where it has no principal: a webhook's, a visitor's. */
  account?: string;
  /** Headers to add to the answer (`answerHeader`). */
  headers?: Record<string, string>;
  /** The response that was made with all its headers (`jsonResponse`). */
  finished?: Response;
  /** The time of the request, ms; it stays the same once a slow body has been read. */
  now: number;
  admissions: Admissions;
  inServiceReads: InServiceReads;
  /** The id of what the request creates, if an idempotency key has fixed it. */
  resourceId?: string;
  principal: Principal;
  /** The requesting runtime and its session; set for `runtime` endpoints. */
  runtime: OwnRuntime;
  /** The principal as the audit log names it. */
  author: Author;
  /** The version of the account's configuration under which answers may be kept; null for none. */
  catalogueVersion: string | null;
}

export interface AppEnv {
  Bindings: Bindings;
  Variables: Variables;
}
