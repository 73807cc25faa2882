import { env, exports } from "cloudflare:workers";
import { issueConsoleToken, type TokenUser } from "../../src/account/auth/console-token.ts";
import { OPERATOR_ACCOUNT } from "../../src/kernel/db/schema/index.ts";
import { type Role, SCOPES, type Scope } from "../../src/kernel/scopes.ts";

export const BASE = "https://switchboard.test";

export interface Answer<T = unknown> {
  status: number;
  headers: Headers;
  code: string | null;
  body: T;
}

type Headers_ = Record<string, string>;

/** Sends one request as a client does: JSON in, JSON out. */
export async function call<T = unknown>(
  method: string,
  path: string,
  init: { headers?: Headers_; body?: unknown; raw?: BodyInit } = {},
): Promise<Answer<T>> {
  const headers: Headers_ = { ...init.headers };
  if (init.body !== undefined) headers["content-type"] ??= "application/json";
  const response = await exports.default.fetch(
    new Request(BASE + path, {
      method,
      headers,
      redirect: "manual",
      ...(init.raw !== undefined
        ? { body: method === "GET" ? null : init.raw }
        : init.body !== undefined && { body: JSON.stringify(init.body) }),
    }),
  );
  const text = await response.text();
  const json = /[/+]json\b/.test(response.headers.get("content-type") ?? "");
  return {
    status: response.status,
    headers: response.headers,
    code: response.headers.get("x-error-code"),
    body: (json && text !== "" ? JSON.parse(text) : text) as T,
  };
}

/** A caller whose requests all carry its credentials. */
export class Client {
  readonly headers: Headers_;

  constructor(headers: Headers_) {
    this.headers = headers;
  }

  get = <T = unknown>(path: string, headers: Headers_ = {}) =>
    call<T>("GET", path, { headers: { ...this.headers, ...headers } });
  post = <T = unknown>(path: string, body?: unknown) => call<T>("POST", path, { headers: this.headers, body });
  put = <T = unknown>(path: string, body?: unknown) => call<T>("PUT", path, { headers: this.headers, body });
  patch = <T = unknown>(path: string, body?: unknown) => call<T>("PATCH", path, { headers: this.headers, body });
  delete = <T = unknown>(path: string) => call<T>("DELETE", path, { headers: this.headers });
  send = <T = unknown>(method: string, path: string, raw: BodyInit | undefined, headers: Headers_ = {}) =>
    call<T>(method, path, { headers: { ...this.headers, ...headers }, ...(raw !== undefined && { raw }) });
}

export async function operator(): Promise<Client> {
  return consoleUser(OPERATOR_ACCOUNT);
}

/** The one operator who creates all accounts of a file, because every new operator costs a read of the database. */
const FOUNDER = "5f0e9c1d-0000-4000-8000-000000000001";

/** Creates a console user of the account, if the account exists, with a token like that of a sign-in. */
export async function consoleUser(account: string, role: Role = "owner"): Promise<Client> {
  return signedIn(await newUser(account, role));
}

async function signedIn(user: TokenUser): Promise<Client> {
  const token = await issueConsoleToken(env, user, Date.now());
  return new Client({ authorization: `Bearer ${token}`, "x-account-id": user.account });
}

/** Creates a user without a password. Stores none if the account does not exist, or a user with this id does. */
export async function newUser(account: string, role: Role = "owner", id: string = crypto.randomUUID()) {
  const email = `${id}@${account}.example`;
  await env.DB.prepare(
    "INSERT OR IGNORE INTO users (account, id, email, password_hash, role, created_at) SELECT name, ?, ?, '', ?, ? FROM accounts WHERE name = ?",
  )
    .bind(id, email, role, new Date().toISOString(), account)
    .run();
  return { id, email, account };
}

export interface Tenant {
  account: string;
  user: Client;
  server: Client;
  key: { id: string; key: string };
}

/**
 * The accounts that tests created, including those of earlier files: their work may continue after their storage was
 * deleted.
 */
export const tenantNames: string[] = [];

/** Creates an account with a console user and an API key through the API. */
export async function tenant(settings: Record<string, unknown> = {}): Promise<Tenant> {
  const account = `t${tenantNames.length + 1}-${crypto.randomUUID().slice(0, 8)}`;
  tenantNames.push(account);
  const founder = await signedIn(await newUser(OPERATOR_ACCOUNT, "owner", FOUNDER));
  const created = await founder.post("/api/admin/v1/accounts", {
    name: account,
    plan: "scale",
    ...settings,
  });
  if (created.status !== 201) throw new Error(`account not created: ${created.status} ${JSON.stringify(created.body)}`);
  const user = await consoleUser(account);
  const key = await apiKey(user, { scopes: [...SCOPES] });
  return { account, user, server: key.server, key };
}

/** The limits of an API key; see POST /api/v1/api-keys. */
interface KeyLimits {
  scopes?: Scope[];
  agent_ids?: string[];
  allowed_addresses?: string[];
}

/** Creates an API key of the user's account and a server that uses it. */
export async function apiKey(user: Client, limits: KeyLimits): Promise<{ id: string; key: string; server: Client }> {
  const created = await user.post<{ id: string; key: string }>("/api/v1/api-keys", { name: "test", ...limits });
  if (created.status !== 201) throw new Error(`key not created: ${created.status} ${JSON.stringify(created.body)}`);
  const { id, key } = created.body;
  return { id, key, server: new Client({ authorization: `Bearer ${key}` }) };
}
