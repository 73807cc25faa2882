import { randomBytes } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { OPERATOR_ACCOUNT } from "../../kernel/db/schema/accounts.ts";
import { hashPassword } from "../../kernel/secrets/passwords.ts";
import type { LocalDatabase } from "../migrate.ts";
import type { SendRequest } from "./api.ts";

/** The temporary operator that runs commands on a stopped service. */
const LOCAL_EMAIL = "backup@localhost";
/** The age at which a token is renewed, ms; it lasts up to an hour. */
const RENEW_MS = 10 * 60_000;

interface Tokens {
  access_token: string;
  refresh_token?: string;
}

/** An operator's request headers, renewed for as long as the work takes. */
export class SignedIn {
  readonly #base: string;
  readonly #send: SendRequest;
  readonly #now: () => number;
  #tokens: Tokens;
  #since: number;

  private constructor(base: string, send: SendRequest, now: () => number, tokens: Tokens) {
    this.#base = base;
    this.#send = send;
    this.#now = now;
    this.#tokens = tokens;
    this.#since = now();
  }

  /** Signs in, and calls `code` if the operator has a second factor. @throws Error with a sentence */
  static async as(
    { email, password }: { email: string; password: string },
    { base, send, now, code }: { base: string; send: SendRequest; now: () => number; code: () => Promise<string> },
  ): Promise<SignedIn> {
    const first = await post(base, send, "/api/login", { account: OPERATOR_ACCOUNT, email, password });
    if (first.status === 200) return new SignedIn(base, send, now, first.body as unknown as Tokens);
    const { ticket } = first.body;
    if (typeof ticket !== "string") throw new Error(`cannot sign in: ${first.text}`);
    const second = await post(base, send, "/api/login/second-factor", { ticket, code: await code() });
    if (second.status !== 200) throw new Error(`cannot sign in: ${second.text}`);
    return new SignedIn(base, send, now, second.body as unknown as Tokens);
  }

  async headers(): Promise<Record<string, string>> {
    const { refresh_token } = this.#tokens;
    if (refresh_token !== undefined && this.#now() - this.#since > RENEW_MS) {
      const renewed = await post(this.#base, this.#send, "/api/session/refresh", { refresh_token });
      if (renewed.status === 200) {
        this.#tokens = renewed.body as unknown as Tokens;
        this.#since = this.#now();
      }
    }
    return { authorization: `Bearer ${this.#tokens.access_token}`, "x-account-id": OPERATOR_ACCOUNT };
  }
}

async function post(base: string, send: SendRequest, path: string, body: object) {
  const headers = { "content-type": "application/json", accept: "application/json, application/problem+json" };
  const answer = await send(base + path, { method: "POST", headers, body: JSON.stringify(body) });
  const text = Buffer.from(await answer.arrayBuffer()).toString();
  const parsed: unknown = text.startsWith("{") ? JSON.parse(text) : {};
  return { status: answer.status, text, body: parsed as Record<string, unknown> };
}

/** Creates a temporary operator for one command, with a random password that is never shown. */
export async function localOperator(db: LocalDatabase, now: Date): Promise<{ email: string; password: string }> {
  const password = randomBytes(24).toString("base64url");
  await db
    .prepare(
      `INSERT INTO users (account, id, email, name, password_hash, created_at) VALUES (?, ?, ?, 'Backup', ?, ?)
       ON CONFLICT (account, email) WHERE source = 'password' DO UPDATE SET password_hash = excluded.password_hash`,
    )
    .bind(OPERATOR_ACCOUNT, uuidv7(), LOCAL_EMAIL, await hashPassword(password), now.toISOString())
    .run();
  return { email: LOCAL_EMAIL, password };
}

export async function removeLocalOperator(db: LocalDatabase): Promise<void> {
  await db.prepare("DELETE FROM users WHERE account = ? AND email = ?").bind(OPERATOR_ACCOUNT, LOCAL_EMAIL).run();
}
