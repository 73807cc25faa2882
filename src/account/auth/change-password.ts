import { eq } from "drizzle-orm";
import type { Context } from "hono";
import { secondFactors, users } from "../../kernel/db/schema/index.ts";
import { accountGate } from "../../kernel/durable/objects.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { ApiError, badToken, conflict, invalidField } from "../../kernel/http/errors.ts";
import { ownStore } from "../../kernel/http/stores.ts";
import { hashPassword } from "../../kernel/secrets/passwords.ts";
import { noteFailedSignIn } from "../attempts/session-log.ts";
import { isRight, SignInAttempts } from "../attempts/sign-in-attempts.ts";
import { isSetUp, proveFactor } from "../second-factor/prove.ts";
import { assertStrong } from "./password-rule.ts";

interface PasswordChangeBody {
  current_password: string;
  new_password: string;
  /** The code of the second factor, if the user has one. */
  code?: string | undefined;
}

/** Changes the caller's password and ends their other sessions. @throws ApiError 400, 403, 409, 429 */
export async function changePassword(
  c: Context<AppEnv>,
  { current_password, new_password, code }: PasswordChangeBody,
): Promise<void> {
  const { account, subject, session } = c.get("principal");
  if (!session?.embedded) {
    throw new ApiError(403, "external_identity", "your identity provider manages this password: change it there");
  }
  if (new_password === current_password)
    throw invalidField("new_password", "invalid_request", "must differ from the current password");
  const store = ownStore(c);
  const [user, factor] = await store.read(
    store.first(users, { where: eq(users.id, subject) }),
    store.first(secondFactors, { where: eq(secondFactors.id, subject) }),
  );
  if (!user) throw badToken();
  assertStrong(new_password, user, "new_password");
  const attempts = await SignInAttempts.of(c, account, user.email);
  await attempts.begin();
  const isCorrect = isRight(await attempts.judge(current_password, user.password_hash));
  await attempts.end(!isCorrect ? "wrong" : isSetUp(factor) ? "half" : "right");
  if (!isCorrect) {
    await noteFailedSignIn(c, account, user);
    throw wrongPassword();
  }
  if (isSetUp(factor)) await proveFactor(c, user, factor, code);
  const { id, issuedAt, expiresAt } = session;
  const change = {
    passwordHash: await hashPassword(new_password, c.env.PASSWORD_PEPPER),
    verified: { id: user.id, password_hash: user.password_hash, sessions_valid_after: user.sessions_valid_after },
    session: { id, user: subject, embedded: true, issuedAt, expiresAt },
  };
  const outcome = await accountGate(c.env, account).changePassword(change, c.get("author"));
  if (outcome === "signed_out") throw badToken();
  if (outcome === "changed_meanwhile")
    throw conflict("changed_meanwhile", "the user was changed in the meantime; try again");
}

function wrongPassword(): ApiError {
  const message = "the current password is wrong";
  return new ApiError(403, "wrong_password", message, {}, [
    { field: "current_password", code: "wrong_password", message },
  ]);
}
