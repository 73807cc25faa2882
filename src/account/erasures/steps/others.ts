import { z } from "zod";
import { accountGate, accountMeter, idempotencyStores, sandboxCarrier } from "../../../kernel/durable/objects.ts";
import { step } from "../step.ts";

/** Responses scanned at a time. */
const ANSWERS = 500;
/** Ids that they are searched for at a time. */
const IDS = 500;

const answerPlace = z.object({
  store: z.number(),
  after: z.string(),
  kind: z.enum(["conversation", "call"]),
  id: z.string(),
});
const FIRST: z.output<typeof answerPlace> = { store: 0, after: "", kind: "conversation", id: "" };

/** Takes the person out of what requests under idempotency keys were answered. */
export const maskAnswers = step(answerPlace, async ({ env, store, number, visitor, traces }, at) => {
  const { store: n, after, kind, id } = at ?? FIRST;
  const stores = idempotencyStores(env, store.account);
  const answers = stores[n];
  if (!answers) return { next: null };
  const found = traces(kind, id, IDS);
  const ids = visitor === null ? found : [...found, visitor];
  const { masked, next } = await answers.forgetPerson({ number, ids }, after, ANSWERS);
  const counts = { other_records: masked };
  if (next !== null) return { counts, next: { store: n, after: next, kind, id } };
  const last = found.length < IDS ? null : found.at(-1);
  if (last) return { counts, next: { store: n, after: "", kind, id: last } };
  // If the number is known, stored answers that name one of its calls are found by it.
  if (kind === "conversation" && number === null)
    return { counts, next: { store: n, after: "", kind: "call", id: "" } };
  return { counts, next: { store: n + 1, after: "", kind: "conversation", id: "" } };
});

/** Forgets what the account's meter counts by the person. */
export const forgetMetered = step(z.null(), async ({ env, store, number, visitor, traces }) => {
  const person = {
    numbers: number === null ? [] : [number],
    visitors: visitor === null ? [] : [visitor],
    conversations: traces("conversation"),
  };
  return { counts: { other_records: await accountMeter(env, store.account).forgetPerson(person) }, next: null };
});

/** Forgets what waits to be confirmed, in the account's gate, that would call the person. */
export const forgetConfirmations = step(z.null(), async ({ env, store, number }) => {
  const rows = number === null ? 0 : await accountGate(env, store.account).forgetNumber(number);
  return { counts: { other_records: rows }, next: null };
});

/** Forgets the person's calls where the sandbox plays the carrier. */
export const forgetAtSandbox = step(z.null(), async ({ env, store, number, traces }) => {
  const calls = await sandboxCarrier(env, store.account).forgetPerson(number, traces("call"));
  return { counts: { other_records: calls }, next: null };
});
