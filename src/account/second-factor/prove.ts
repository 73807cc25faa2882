import type { Context } from "hono";
import type { SecondFactorRow, UserRow } from "../../kernel/db/look-ups.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { ApiError } from "../../kernel/http/errors.ts";
import { ownStore } from "../../kernel/http/stores.ts";
import { noteFailedSignIn } from "../attempts/session-log.ts";
import { SignInAttempts } from "../attempts/sign-in-attempts.ts";
import { spendCode } from "./factor.ts";

/** Checks whether the user has a second factor that a code has confirmed. */
export function isSetUp(factor: SecondFactorRow | undefined): factor is SecondFactorRow & { secret: string } {
  return factor !== undefined && factor.secret !== null;
}

/**
 * Requires a code of the current second factor before a signed-in user changes the factor, its recovery codes or the
 * password. A wrong code counts as a failed sign-in.
 * @throws ApiError 403 if the code is missing or wrong, 429
 */
export async function proveFactor(
  c: Context<AppEnv>,
  user: UserRow,
  factor: SecondFactorRow,
  code: string | undefined,
): Promise<void> {
  if (code === undefined) {
    const message = "a code of your second factor is required";
    throw new ApiError(403, "second_factor_required", message, {}, [
      { field: "code", code: "second_factor_required", message },
    ]);
  }
  const context = { env: c.env, store: ownStore(c), now: c.get("now") };
  await judgeCode(c, user, () => spendCode(context, factor, code));
}

/** Checks a code within the limits of a sign-in, and records a wrong code. @throws ApiError 403, 429 */
export async function judgeCode(c: Context<AppEnv>, user: UserRow, judge: () => Promise<boolean>): Promise<void> {
  const attempts = await SignInAttempts.of(c, user.account, user.email);
  await attempts.begin();
  const isRight = await judge();
  await attempts.end(isRight ? "half" : "wrong");
  if (isRight) return;
  await noteFailedSignIn(c, user.account, user);
  throw wrongCode(403);
}

/** Creates the error for a code that is wrong, too old or already used. */
export function wrongCode(status: 401 | 403): ApiError {
  const message = "the code is wrong, or was already used";
  return new ApiError(status, "wrong_code", message, {}, [{ field: "code", code: "wrong_code", message }]);
}
