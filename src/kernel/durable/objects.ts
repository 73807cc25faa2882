import { observedStub } from "../observing/request-context.ts";

/** Stubs of all Durable Objects. Only this file knows the names of objects. */

/** Returns the account's gate, which admits its keys and users and writes its configuration. */
export function accountGate(env: Pick<Env, "ACCOUNT_GATE">, account: string) {
  return observedStub("gate", env.ACCOUNT_GATE.getByName(account));
}

/** Returns the account's meter, which admits calls, grants leases and counts what the account uses. */
export function accountMeter(env: Pick<Env, "ACCOUNT_METER">, account: string) {
  return observedStub("meter", env.ACCOUNT_METER.getByName(account));
}

/** Returns the volume of the account's ledger that begins on this day (UTC). */
export function ledgerVolume(env: Pick<Env, "ACCOUNT_LEDGER">, account: string, day: string) {
  return observedStub("ledger", env.ACCOUNT_LEDGER.getByName(`${account}/${day}`));
}

export function accountEvents(env: Pick<Env, "ACCOUNT_EVENTS">, account: string) {
  return observedStub("events", env.ACCOUNT_EVENTS.getByName(account));
}

/**
 * Returns the object of a webhook. The name includes the account, so another account's id only reaches an empty object.
 */
export function webhookObject(env: Pick<Env, "WEBHOOK">, account: string, id: string) {
  return observedStub("webhook", env.WEBHOOK.getByName(`${account}/${id.toLowerCase()}`));
}

/** Returns the account's recording inbox, where recordings wait until they are fetched from the carrier. */
export function recordingInbox(env: Pick<Env, "RECORDING_INBOX">, account: string) {
  return observedStub("recording_inbox", env.RECORDING_INBOX.getByName(account));
}

/** Returns the account's sandbox, which simulates a carrier. */
export function sandboxCarrier(env: Pick<Env, "SANDBOX_CARRIER">, account: string) {
  return observedStub("sandbox_carrier", env.SANDBOX_CARRIER.getByName(account));
}

/**
 * Returns the object of a campaign. The name includes the account, so another account's id only reaches an empty
 * object.
 */
export function campaignObject(env: Pick<Env, "CAMPAIGN">, account: string, id: string) {
  return observedStub("campaign", env.CAMPAIGN.getByName(`${account}/${id.toLowerCase()}`));
}

/** Returns the conversation with this key: a call's id or the id of a visitor's sign-in. */
export function conversationObject(env: Pick<Env, "CONVERSATION">, account: string, key: string) {
  return observedStub("conversation", env.CONVERSATION.getByName(`${account}/${key.toLowerCase()}`));
}

/**
 * Returns the object of an erasure. The name includes the account, so another account's id only reaches an empty
 * object.
 */
export function erasureObject(env: Pick<Env, "ERASURE">, account: string, id: string) {
  return observedStub("erasure", env.ERASURE.getByName(`${account}/${id.toLowerCase()}`));
}

/**
 * Returns the object of a test run. The name includes the account, so another account's id only reaches an empty
 * object.
 */
export function testRunObject(env: Pick<Env, "TEST_RUN">, account: string, id: string) {
  return observedStub("test_run", env.TEST_RUN.getByName(`${account}/${id.toLowerCase()}`));
}

/** Returns the account's knowledge base, which stores and searches its documents. */
export function knowledgeBase(env: Pick<Env, "KNOWLEDGE_BASE">, account: string) {
  return observedStub("knowledge", env.KNOWLEDGE_BASE.getByName(account));
}

export function accountDeletion(env: Pick<Env, "ACCOUNT_DELETION">, account: string) {
  return observedStub("account_deletion", env.ACCOUNT_DELETION.getByName(account));
}

/** The number of objects that share an account's idempotency keys, in order to spread the load. */
export const IDEMPOTENCY_STORES = 16;

/** Returns the object that stores an idempotency key, selected by the key's SHA-256. */
export function idempotencyStore(env: Pick<Env, "IDEMPOTENCY_STORE">, account: string, id: string) {
  return idempotencyStoreAt(env, account, String(Number.parseInt(id.slice(0, 8), 16) % IDEMPOTENCY_STORES));
}

export function idempotencyStoreAt(env: Pick<Env, "IDEMPOTENCY_STORE">, account: string, n: string) {
  return observedStub("idempotency", env.IDEMPOTENCY_STORE.getByName(`${account}/${n}`));
}

export function objectNamed<Stub>(namespace: { getByName(name: string): Stub }, name: string): Stub {
  return namespace.getByName(name);
}

/** Returns the account of an object that exists once per account. */
export function accountOf({ id }: DurableObjectState): string {
  if (id.name === undefined) throw new TypeError("the object is reached by the account's name");
  return id.name;
}

export function campaignOf(state: DurableObjectState): { account: string; id: string } {
  return partsOf(state);
}

export function conversationOf(state: DurableObjectState): { account: string; id: string } {
  return partsOf(state);
}

export function erasureOf(state: DurableObjectState): { account: string; id: string } {
  return partsOf(state);
}

export function testRunOf(state: DurableObjectState): { account: string; id: string } {
  return partsOf(state);
}

export function webhookOf(state: DurableObjectState): { account: string; id: string } {
  return partsOf(state);
}

export function volumeOf(state: DurableObjectState): { account: string; day: string } {
  const { account, id } = partsOf(state);
  return { account, day: id };
}

function partsOf(state: DurableObjectState): { account: string; id: string } {
  const [account, id] = accountOf(state).split("/");
  if (!account || !id) throw new TypeError("the object is reached by account/id");
  return { account, id };
}
