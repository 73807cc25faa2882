import type { Context } from "hono";
import { accountGate } from "../../kernel/durable/objects.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { type ApiError, tooMany } from "../../kernel/http/errors.ts";
import { clientOf } from "../../kernel/http/rate-limits.ts";
import { logError } from "../../kernel/log.ts";
import { sha256Hex } from "../../kernel/secrets/hashing.ts";
import { type PasswordVerdict, verifyPassword } from "../../kernel/secrets/passwords.ts";
import type { SignInPair } from "../gate/sign-in-ledger.ts";
import type { SignInResult } from "../gate/sign-ins.ts";

/** Limits the password attempts for one user name of an existing account, whether or not the user exists. */
export class SignInAttempts {
  readonly #c: Context<AppEnv>;
  readonly #account: string;
  readonly #pair: SignInPair | null;

  private constructor(c: Context<AppEnv>, account: string, pair: SignInPair | null) {
    this.#c = c;
    this.#account = account;
    this.#pair = pair;
  }

  /**
   * Returns the attempts for a user name. Their key is a hash of the email, because some people type their password
   * into this field.
   */
  static async of(c: Context<AppEnv>, account: string, email: string): Promise<SignInAttempts> {
    const counted = c.env.RATE_LIMITS !== "off";
    const pair = counted ? { user: await sha256Hex(email.toLowerCase()), address: clientOf(c) } : null;
    return new SignInAttempts(c, account, pair);
  }

  /** Begins an attempt. Returns its time (ms) by the gate's clock. @throws ApiError 429 while the user must wait */
  async begin(): Promise<number> {
    const chance = await accountGate(this.#c.env, this.#account).trySignIn(this.#pair);
    if (chance.outcome === "wait") throw haveToWait(chance.retryAfterMs);
    return chance.at;
  }

  /** Checks the password against the hash, in constant time. Without a hash, the result is wrong. */
  async judge(password: string, stored: string | undefined): Promise<PasswordVerdict> {
    const verdict = await verifyPassword(password, stored, this.#c.env.PASSWORD_PEPPER);
    if (verdict === "sealed")
      logError("sign-in", new Error("a password is hashed with a PASSWORD_PEPPER that is not configured"));
    return verdict;
  }

  /**
   * Records the result. @throws ApiError 429 if other attempts failed in the meantime, so that this one does not count
   */
  async end(result: SignInResult): Promise<void> {
    if (!this.#pair) return;
    const wait = await accountGate(this.#c.env, this.#account).signInTried(this.#pair, result);
    if (wait > 0) throw haveToWait(wait);
  }

  /** Remembers the address as familiar for a user who proved their identity without a password. */
  async proved(): Promise<void> {
    if (this.#pair) await accountGate(this.#c.env, this.#account).addressProved(this.#pair);
  }
}

export function isRight(verdict: PasswordVerdict): boolean {
  return verdict === "right" || verdict === "outdated";
}

const haveToWait = (ms: number): ApiError =>
  tooMany("rate_limited", "too many failed sign-ins; wait and try again", ms);
