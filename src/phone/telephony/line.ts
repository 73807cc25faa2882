import { eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { AccountStore, Read } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { phoneNumbers, telephonyProviders } from "../../kernel/db/schema/index.ts";
import { credentialsContext } from "../../kernel/db/seal-contexts.ts";
import { Vault } from "../../kernel/secrets/vault.ts";
import { type Carrier, type CarrierContext, PROVIDERS, type Provider } from "../carriers/carrier.ts";
import { carrierKind } from "../carriers/index.ts";

type NumberRow = typeof phoneNumbers.$inferSelect;
type CredentialsRow = typeof telephonyProviders.$inferSelect;

/** One of the account's numbers with its carrier. */
export interface Line {
  number: NumberRow;
  provider: Provider;
  carrier: Carrier;
}

/** Returns the reads that `lineFrom` needs, to be batched with others. */
export function lineReads(
  store: AccountStore,
  e164: string,
): [Read<NumberRow | undefined>, Read<CredentialsRow | undefined>] {
  const credentials = sql`(SELECT credentials_id FROM phone_numbers WHERE account = ${store.account} AND e164 = ${e164})`;
  return [
    store.first(phoneNumbers, { where: eq(phoneNumbers.e164, e164) }),
    store.first(telephonyProviders, { where: inArray(telephonyProviders.id, credentials) }),
  ];
}

/** Returns the line of a number; undefined if the account has no such number. @throws VaultUnavailable */
export async function lineFrom(
  env: CarrierContext["env"] & Pick<Env, "ENCRYPTION_KEYS">,
  [number, credentials]: [NumberRow | undefined, CredentialsRow | undefined],
): Promise<Line | undefined> {
  const provider = PROVIDERS.find((name) => name === number?.provider);
  if (!number || !provider) return undefined;
  return { number, provider, carrier: await connectCarrier(env, number.account, provider, credentials) };
}

/** Returns the account's carrier with its decrypted credentials. @throws VaultUnavailable */
export async function connectCarrier(
  env: CarrierContext["env"] & Pick<Env, "ENCRYPTION_KEYS">,
  account: string,
  provider: Provider,
  credentials: Pick<CredentialsRow, "id" | "credentials"> | undefined,
): Promise<Carrier> {
  const kind = carrierKind(provider);
  if (!kind) throw new TypeError(`there is no carrier named ${provider}`);
  const opened = credentials
    ? await new Vault(env.ENCRYPTION_KEYS).open(credentials.credentials, credentialsContext(account, credentials.id))
    : {};
  const pause = (longest_ms: number) => scheduler.wait(Math.random() * longest_ms);
  const context: CarrierContext = { account, env, fetch: (...args) => fetch(...args), pause, now: Date.now };
  return kind.connect(kind.credentials.parse(opened), context);
}

/**
 * Returns the account's carrier by present or deleted credentials; null if they are purged. @throws VaultUnavailable
 */
export async function carrierBy(
  env: CarrierContext["env"] & Pick<Env, "ENCRYPTION_KEYS">,
  store: AccountStore,
  provider: Provider,
  credentialsId: string | null,
): Promise<Carrier | null> {
  if (provider === "sandbox") return connectCarrier(env, store.account, provider, undefined);
  const where = eq(telephonyProviders.id, credentialsId ?? "");
  const [credentials] = await store.read(store.first(telephonyProviders, { where }));
  return credentials ? connectCarrier(env, store.account, provider, credentials) : null;
}

/** Returns the condition that credentials are in use: deleted ones serve only the calls placed with them. */
export function credentialsInUse(id: string): SQL {
  return all(eq(telephonyProviders.id, id), isNull(telephonyProviders.deleted_at));
}
