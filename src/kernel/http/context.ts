import type { Context } from "hono";
import type { Author } from "../db/account-store.ts";

/**
 * What the Worker's handlers may reach of the environment: everything but the database, which is reached through
 * AccountStore and the look-ups alone. Secrets that may be missing are added to the generated types here.
 */
export type Bindings = Omit<Env, "DB"> & OptionalSecrets;

/** Secrets that the service can do without. */
export interface OptionalSecrets {
  OIDC_CLIENT_SECRET?: string;
  PASSWORD_PEPPER?: string;
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
 * - `operator`: a console user with X-Account-ID `service-admin`
 * - `runtime`: the token of a call's session, a visitor's or a tester's; the slice itself finds out whose
 */
export type Access = "public" | "account" | "console" | "session" | "server" | "operator" | "runtime";

/** Lets a request in to an endpoint, or throws what keeps it out. On the way it binds the request to its account. */
export type Admit = (c: Context<AppEnv>, endpoint: { access: Access; limit?: "public" }) => Promise<void>;

/** Who admits the requests of `runtime` endpoints, and of all others: app.ts names them, as the kernel knows no wing. */
export type Admissions = Record<"runtime" | "account", Admit>;

/** A session of the console: which one, when it began (ms), and until when its token is good by itself (ms). */
export interface ConsoleSession {
  id: string;
  embedded: boolean;
  issuedAt: number;
  expiresAt: number;
  accounts: string[];
}

/** Who is asking, once verified. */
export interface Principal {
  kind: "api_key" | "console";
  account: string;
  /** The key's id, or the console user's subject. */
  subject: string;
  /** The SHA-256 of an API key. */
  key: string | null;
  /** The session of a console user, null for an API key. */
  session: ConsoleSession | null;
}

/**
 * Who asked for a token that stands for them elsewhere: a key by its row's id, so that a page that has the token learns
 * nothing of the key. Times are ms.
 */
export type PassHolder =
  | { key_id: string }
  | {
      user: string;
      session: string;
      embedded: boolean;
      issued_at: number;
      /** Until when the token of the session is good by itself. */
      expires_at: number;
    };

/** Who a runtime stands for: the call, the visitor or the tester that its token was made for. Times are ms. */
export type SessionIdentity = (CallIdentity | VisitorIdentity | TesterIdentity) & {
  account: string;
  agent_id: string;
  /** What the conversation's object is named by: the call's id, the visitor's sign-in, or the test's own id. */
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
}

/** Somebody of the account who tries the agent. */
interface TesterIdentity {
  kind: "test";
  /** Who it is, as the audit log names them. */
  visitor: { id: string; type: "user" };
  holder: PassHolder;
  /** What the agent's texts can name. */
  variables: Record<string, string>;
}

/** An answer as it is given again. */
export interface KeptAnswer {
  status: number;
  /** By their names in lower case. */
  headers: Record<string, string>;
  body: string | null;
}

/** A request under an idempotency key: what it is known by, what it asks for, and who carries it out. */
export interface KeyedRequest {
  /** Of the principal and its key. */
  id: string;
  /** Of method, path, query and body: the same for the same request. */
  fingerprint: string;
  /** This attempt. */
  holder: string;
}

/** What is to be done about a request under an idempotency key. */
export type KeyVerdict =
  | {
      outcome: "carry_out";
      /** Of what the request creates. */
      resource_id: string;
      /** An earlier attempt may have made it. */
      again: boolean;
    }
  /** `answer` is null where it was too long to be kept. */
  | { outcome: "replay"; answer: KeptAnswer | null }
  | { outcome: "conflict" | "in_progress" | "full" };

/** What became of an attempt: an answer to be kept, or one that a retry is to better. */
export type KeyOutcome =
  | { keep: KeptAnswer | null }
  | {
      /** Whether what the attempt made is over, so that a retry makes another. */
      retry: "same_resource" | "new_resource";
    };

/** Keeps what requests under idempotency keys were answered. */
export interface IdempotencyKeys {
  begin(request: KeyedRequest): Promise<KeyVerdict>;
  /** The attempt goes on. */
  prolong(request: KeyedRequest): Promise<void>;
  finish(request: KeyedRequest, outcome: KeyOutcome): Promise<void>;
}

export interface Variables {
  requestId: string;
  /** Headers that the answer is to carry (`answerHeader`). */
  headers?: Record<string, string>;
  /** The time of the request in ms: one request sees one time. */
  now: number;
  admissions: Admissions;
  /** Of what the request creates, where an idempotency key has fixed it. */
  resourceId?: string;
  principal: Principal;
  /** Whose session it is; set for `runtime` endpoints. */
  session: SessionIdentity;
  /** The principal as the audit log names it. */
  author: Author;
  /** Which version of the account's configuration may be answered from and kept; null for none. */
  catalogueVersion: string | null;
}

export interface AppEnv {
  Bindings: Bindings;
  Variables: Variables;
}
