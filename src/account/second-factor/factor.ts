import { and, eq, type SQL, sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import type { SecondFactorRow } from "../../kernel/db/look-ups.ts";
import { secondFactors } from "../../kernel/db/schema/index.ts";
import { secondFactorContext } from "../../kernel/db/seal-contexts.ts";
import { spendOnce } from "../../kernel/db/spend-once.ts";
import { Vault } from "../../kernel/secrets/vault.ts";
import { recoveryHash } from "./recovery-codes.ts";
import { CODE_ACCEPTED_MS, stepOf } from "./totp.ts";

/** The dependencies of checking a code of a second factor. */
interface Context {
  env: { ENCRYPTION_KEYS?: string };
  store: AccountStore;
  now: number;
}

/** Checks whether the code is the factor's current code or one of its recovery codes. A correct code is spent. */
export async function spendCode(context: Context, factor: SecondFactorRow, code: string): Promise<boolean> {
  if (factor.secret === null) return false;
  return (await spendTotp(context, factor.id, factor.secret, code)) || spendRecoveryCode(context, factor, code);
}

/**
 * Checks whether the code is the sealed secret's current code, and is used for the first time.
 * @throws VaultUnavailable
 */
export async function spendTotp(
  { env, store, now }: Context,
  user: string,
  sealed: string,
  code: string,
): Promise<boolean> {
  const secret = await new Vault(env.ENCRYPTION_KEYS).open(sealed, secondFactorContext(store.account, user));
  const step = typeof secret === "string" ? stepOf(secret, code, now) : null;
  if (step === null) return false;
  const expiresAt = new Date(now + 2 * CODE_ACCEPTED_MS).toISOString();
  // The code is stored as well, to distinguish the time steps of this secret from those of a previous one.
  const [spent] = await store.record(
    ...spendOnce(store, `totp:${user}:${step}:${code.replace(/\s/g, "")}`, expiresAt, now),
  );
  return spent.length > 0;
}

async function spendRecoveryCode({ store }: Context, { id, secret }: SecondFactorRow, code: string): Promise<boolean> {
  const hash = await recoveryHash(id, code);
  if (hash === null) return false;
  const { recovery_codes: codes } = secondFactors;
  const rest = sql`(SELECT json_group_array(value) FROM json_each(${codes}) WHERE value <> ${hash})`;
  const isThere = sql`EXISTS (SELECT 1 FROM json_each(${codes}) WHERE value = ${hash})`;
  const where = and(isFactor(id, secret), isThere) ?? sql`false`;
  const entry = { action: "use_recovery_code", resource: "user", resource_id: id } as const;
  const [spent] = await store.write(entry, store.update(secondFactors, { recovery_codes: rest }, where));
  return spent.length > 0;
}

/** Returns the condition that the user's factor is unchanged since it was read. */
export function isFactor(user: string, secret: string | null): SQL {
  return and(eq(secondFactors.id, user), sql`${secondFactors.secret} IS ${secret}`) ?? sql`false`;
}
