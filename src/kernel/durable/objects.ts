import { observedStub } from "../observing/request-context.ts";

/** The Durable Objects by what they belong to; only this file knows their names. */

/** The account's gate, which admits its keys and users, and through which its configuration is written. */
export function accountGate(env: Pick<Env, "ACCOUNT_GATE">, account: string) {
  return observedStub("gate", env.ACCOUNT_GATE.getByName(account));
}

/** The account's meter, which admits calls, holds the leases of what is live and counts what the account uses. */
export function accountMeter(env: Pick<Env, "ACCOUNT_METER">, account: string) {
  return observedStub("meter", env.ACCOUNT_METER.getByName(account));
}

/** A volume of the account's ledger, by the day (UTC) on which it begins. */
export function ledgerVolume(env: Pick<Env, "ACCOUNT_LEDGER">, account: string, day: string) {
  return observedStub("ledger", env.ACCOUNT_LEDGER.getByName(`${account}/${day}`));
}

/** The sequence of the account's events. */
export function accountEvents(env: Pick<Env, "ACCOUNT_EVENTS">, account: string) {
  return observedStub("events", env.ACCOUNT_EVENTS.getByName(account));
}

/** A webhook of the account: another account's id names another, empty object. */
export function webhookObject(env: Pick<Env, "WEBHOOK">, account: string, id: string) {
  return observedStub("webhook", env.WEBHOOK.getByName(`${account}/${id.toLowerCase()}`));
}

/** The account's inbox, where recordings wait to be fetched. */
export function recordingInbox(env: Pick<Env, "RECORDING_INBOX">, account: string) {
  return observedStub("recording_inbox", env.RECORDING_INBOX.getByName(account));
}

/** The carrier that is played for the account. */
export function sandboxCarrier(env: Pick<Env, "SANDBOX_CARRIER">, account: string) {
  return observedStub("sandbox_carrier", env.SANDBOX_CARRIER.getByName(account));
}

/** A campaign of the account: another account's id names another, empty object. */
export function campaignObject(env: Pick<Env, "CAMPAIGN">, account: string, id: string) {
  return observedStub("campaign", env.CAMPAIGN.getByName(`${account}/${id.toLowerCase()}`));
}

/** A conversation of the account, by its call's id or its visitor's sign-in. */
export function conversationObject(env: Pick<Env, "CONVERSATION">, account: string, key: string) {
  return observedStub("conversation", env.CONVERSATION.getByName(`${account}/${key.toLowerCase()}`));
}

/** An erasure of the account: another account's id names another, empty object. */
export function erasureObject(env: Pick<Env, "ERASURE">, account: string, id: string) {
  return observedStub("erasure", env.ERASURE.getByName(`${account}/${id.toLowerCase()}`));
}

/** A test run of the account: another account's id names another, empty object. */
export function testRunObject(env: Pick<Env, "TEST_RUN">, account: string, id: string) {
  return observedStub("test_run", env.TEST_RUN.getByName(`${account}/${id.toLowerCase()}`));
}

/** What the account knows. */
export function knowledgeBase(env: Pick<Env, "KNOWLEDGE_BASE">, account: string) {
  return observedStub("knowledge", env.KNOWLEDGE_BASE.getByName(account));
}

/** The job that deletes the account. */
export function accountDeletion(env: Pick<Env, "ACCOUNT_DELETION">, account: string) {
  return observedStub("account_deletion", env.ACCOUNT_DELETION.getByName(account));
}

/** How many objects share an account's idempotency keys, so that no object gets too many requests. */
export const IDEMPOTENCY_STORES = 16;

/** The object with the responses under an idempotency key, by the key's SHA-256. */
export function idempotencyStore(env: Pick<Env, "IDEMPOTENCY_STORE">, account: string, id: string) {
  return idempotencyStoreAt(env, account, String(Number.parseInt(id.slice(0, 8), 16) % IDEMPOTENCY_STORES));
}

/** One of the objects with responses under the account's idempotency keys, by its number. */
export function idempotencyStoreAt(env: Pick<Env, "IDEMPOTENCY_STORE">, account: string, n: string) {
  return observedStub("idempotency", env.IDEMPOTENCY_STORE.getByName(`${account}/${n}`));
}

/** An object by the name of its class's binding and its own full name, as its stub has them. */
export function objectNamed<Stub>(namespace: { getByName(name: string): Stub }, name: string): Stub {
  return namespace.getByName(name);
}

/** The account of an object that exists once per account. */
export function accountOf({ id }: DurableObjectState): string {
  if (id.name === undefined) throw new TypeError("the object is reached by the account's name");
  return id.name;
}

/** Which campaign an object is. */
export function campaignOf(state: DurableObjectState): { account: string; id: string } {
  return partsOf(state);
}

/** The conversation that an object's name stands for. */
export function conversationOf(state: DurableObjectState): { account: string; id: string } {
  return partsOf(state);
}

/** Which erasure an object is. */
export function erasureOf(state: DurableObjectState): { account: string; id: string } {
  return partsOf(state);
}

/** Which test run an object is. */
export function testRunOf(state: DurableObjectState): { account: string; id: string } {
  return partsOf(state);
}

/** Which webhook an object is. */
export function webhookOf(state: DurableObjectState): { account: string; id: string } {
  return partsOf(state);
}

/** The account and the ledger volume that an object's name stands for. */
export function volumeOf(state: DurableObjectState): { account: string; day: string } {
  const { account, id } = partsOf(state);
  return { account, day: id };
}

function partsOf(state: DurableObjectState): { account: string; id: string } {
  const [account, id] = accountOf(state).split("/");
  if (!account || !id) throw new TypeError("the object is reached by account/id");
  return { account, id };
}
