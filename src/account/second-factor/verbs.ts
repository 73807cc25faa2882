import { eq } from "drizzle-orm";
import type { Context } from "hono";
import type { SecondFactorRow, UserRow } from "../../kernel/db/look-ups.ts";
import { secondFactors, users } from "../../kernel/db/schema/index.ts";
import { secondFactorContext } from "../../kernel/db/seal-contexts.ts";
import { accountGate } from "../../kernel/durable/objects.ts";
import type { AppEnv, ConsoleSession } from "../../kernel/http/context.ts";
import { ApiError, badToken, conflict, notFound } from "../../kernel/http/errors.ts";
import { ownStore } from "../../kernel/http/stores.ts";
import { Vault } from "../../kernel/secrets/vault.ts";
import { isFactor, spendTotp } from "./factor.ts";
import { isSetUp, judgeCode, proveFactor } from "./prove.ts";
import { newRecoveryCodes, recoveryHash } from "./recovery-codes.ts";
import { newSecret, otpauthUrl } from "./totp.ts";

interface Owner {
  session: ConsoleSession;
  user: UserRow;
  factor: SecondFactorRow | undefined;
}

/** Returns whether the caller has a second factor, and how many recovery codes are left. */
export async function describeFactor(c: Context<AppEnv>) {
  const { factor } = await ownerOf(c);
  const enabled = isSetUp(factor);
  return { enabled, recovery_codes_left: enabled ? factor.recovery_codes.length : 0 };
}

/** Creates a new secret for the caller. Until a code confirms it, the current factor stays. */
export async function enroll(c: Context<AppEnv>, code: string | undefined) {
  const { user, factor } = await ownerOf(c);
  if (isSetUp(factor)) await proveFactor(c, user, factor, code);
  const store = ownStore(c);
  const secret = newSecret();
  const pending_secret = await new Vault(c.env.ENCRYPTION_KEYS).seal(
    secret,
    secondFactorContext(user.account, user.id),
  );
  const [written] = await store.record(
    store.upsert(
      secondFactors,
      { id: user.id, pending_secret, created_at: new Date(c.get("now")).toISOString() },
      {
        target: [secondFactors.account, secondFactors.id],
        set: { pending_secret },
        setWhere: isFactor(user.id, factor?.secret ?? null),
      },
    ),
  );
  if (written.length === 0) throw changedMeanwhile();
  return { secret, otpauth_url: otpauthUrl(secret, user) };
}

/** Activates the new secret after a code proves that the user's app has it. Returns new recovery codes. */
export async function confirm(c: Context<AppEnv>, code: string) {
  const { user, factor, session } = await ownerOf(c);
  const pending = factor?.pending_secret ?? null;
  if (!factor || pending === null) throw conflict("nothing_to_confirm", "set up a second factor first");
  const store = ownStore(c);
  const context = { env: c.env, store, now: c.get("now") };
  await judgeCode(c, user, () => spendTotp(context, user.id, pending, code));
  const { codes, hashes } = await freshCodes(user.id);
  const [changed] = await store.write(
    { action: "set_up_second_factor", resource: "user", resource_id: user.id },
    store.update(
      secondFactors,
      { secret: pending, pending_secret: null, recovery_codes: hashes },
      eq(secondFactors.pending_secret, pending),
    ),
  );
  if (changed.length === 0) throw changedMeanwhile();
  await accountGate(c.env, user.account).setSecondFactor(user.id, [session.id], true);
  return { recovery_codes: codes };
}

/** Replaces the caller's remaining recovery codes with new ones. */
export async function renewRecoveryCodes(c: Context<AppEnv>, code: string) {
  const { user, factor } = await ownerOf(c);
  if (!isSetUp(factor)) throw notFound("second factor");
  await proveFactor(c, user, factor, code);
  const { codes, hashes } = await freshCodes(user.id);
  const store = ownStore(c);
  const [changed] = await store.write(
    { action: "renew_recovery_codes", resource: "user", resource_id: user.id },
    store.update(secondFactors, { recovery_codes: hashes }, isFactor(user.id, factor.secret)),
  );
  if (changed.length === 0) throw changedMeanwhile();
  return { recovery_codes: codes };
}

/** Removes the caller's second factor. Their sessions no longer count as having passed one. */
export async function remove(c: Context<AppEnv>, code: string): Promise<void> {
  const { user, factor } = await ownerOf(c);
  if (!isSetUp(factor)) throw notFound("second factor");
  await proveFactor(c, user, factor, code);
  const [store, gate] = [ownStore(c), accountGate(c.env, user.account)];
  // First, so that no session counts as having passed a removed second factor if the request is interrupted.
  await gate.setSecondFactor(user.id, "all", false);
  const [removed] = await store.write(
    { action: "remove_second_factor", resource: "user", resource_id: user.id },
    store.delete(secondFactors, isFactor(user.id, factor.secret)),
  );
  if (removed.length === 0) throw changedMeanwhile();
  // A session may have passed it in the meantime.
  await gate.setSecondFactor(user.id, "all", false);
}

/**
 * Requires a code of the caller's second factor, if they have one, before an act that cannot be undone. Users of
 * another identity provider are not asked, because that provider checks second factors itself.
 * @throws ApiError 403 if the code is missing or wrong, 429
 */
export async function proveOwnFactor(c: Context<AppEnv>, code: string | undefined): Promise<void> {
  if (!c.get("principal").session?.embedded) return;
  const { user, factor } = await ownerOf(c);
  if (isSetUp(factor)) await proveFactor(c, user, factor, code);
}

/**
 * Returns the caller, whose password is stored in this service.
 * @throws ApiError 403 for a user of another identity provider
 */
async function ownerOf(c: Context<AppEnv>): Promise<Owner> {
  const { subject, session } = c.get("principal");
  if (!session?.embedded)
    throw new ApiError(403, "external_identity", "your identity provider manages second factors: set one up there");
  const store = ownStore(c);
  const [user, factor] = await store.read(
    store.first(users, { where: eq(users.id, subject) }),
    store.first(secondFactors, { where: eq(secondFactors.id, subject) }),
  );
  if (!user) throw badToken();
  return { session, user, factor };
}

async function freshCodes(user: string): Promise<{ codes: string[]; hashes: string[] }> {
  const codes = newRecoveryCodes();
  const hashes = await Promise.all(codes.map((code) => recoveryHash(user, code)));
  return { codes, hashes: hashes.flatMap((hash) => hash ?? []) };
}

const changedMeanwhile = () =>
  conflict("changed_meanwhile", "the second factor was changed in the meantime; try again");
