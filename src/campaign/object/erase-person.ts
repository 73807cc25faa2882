import { giveWay } from "../../kernel/durable/give-way.ts";
import { NumberMask } from "../../kernel/mask-number.ts";
import type { CampaignContext } from "../context.ts";
import { isBeingRead } from "../repair/decide.ts";
import { beginErasure, eraseSome } from "../store/erasure-transitions.ts";
import { type ErasedCounts, NOTHING_ERASED } from "../store/erasures.ts";
import type { ErasedNumbers } from "../store/person-rows.ts";

export interface PersonErasure {
  /** The erasure's ID in the account. Repeating it with this ID counts nothing twice. */
  erasure: string;
  /** E.164. */
  numbers: string[];
  limits?: ErasureLimits;
}

/** Steps per call, and rows read per step. */
export interface ErasureLimits {
  steps: number;
  rows: number;
}

export interface ErasedPiece {
  /** The total of all calls, not just of the last one. */
  counts: ErasedCounts;
  /** If false, call again, at once or a little later. */
  done: boolean;
}

const LIMITS: ErasureLimits = { steps: 10, rows: 2_000 };

/**
 * Erases a person in bounded steps; call it until `done`. Live calls to the person are hung up first. While an upload
 * is being read, or a call can't be hung up, it does nothing.
 */
export async function erasePerson(
  context: CampaignContext,
  { erasure, numbers, limits = LIMITS }: PersonErasure,
): Promise<ErasedPiece> {
  const { store, outbox, hub, wake } = context;
  // An object without a campaign has no tables.
  if (store.campaign.row === null) return { counts: NOTHING_ERASED, done: true };
  const erased: ErasedNumbers = {
    digits: numbers.map((number) => Number(number.slice(1))),
    masks: numbers.map((number) => new NumberMask(number)),
  };
  if (store.erasures.get(erasure) === null) await endCalls(context, erased);
  // Messages to other objects may already be prepared. They must be delivered first, so that the data in them is erased
  // there afterwards.
  const isSwept = await outbox.alone(() => eraseSteps(context, erasure, erased, limits));
  hub.refresh();
  if (store.campaign.row === null) return { counts: NOTHING_ERASED, done: true };
  await wake();
  if (isSwept) await finish(context, erasure);
  const { counts = NOTHING_ERASED, done = false } = store.campaign.row
    ? (store.erasures.get(erasure) ?? {})
    : { done: true };
  return { counts, done };
}

async function eraseSteps(
  context: CampaignContext,
  erasure: string,
  numbers: ErasedNumbers,
  { steps, rows }: ErasureLimits,
): Promise<boolean> {
  const { store, now } = context;
  if (store.campaign.row === null) return false;
  if (store.erasures.get(erasure) === null) {
    if (mustWait(context, numbers)) return false;
    beginErasure(store, erasure, numbers, now());
  }
  for (let step = 0; step < steps; step++) {
    if (eraseSome(store, erasure, numbers, rows, now())) return true;
    await giveWay();
  }
  return false;
}

/** Checks whether contacts may still be added, or the person is in a call. */
function mustWait({ store, guard }: CampaignContext, { digits }: ErasedNumbers): boolean {
  if (isBeingRead(store.campaign.existing) || guard.is("removing")) return true;
  return store.persons.liveCalls(store.persons.find(digits)).length > 0;
}

async function endCalls({ store, dispatcher }: CampaignContext, { digits }: ErasedNumbers): Promise<void> {
  if (store.campaign.existing.importing) return;
  const live = () => store.persons.liveCalls(store.persons.find(digits)).flatMap((id) => store.attempts.get(id) ?? []);
  if (live().some(({ state }) => state === "dialing")) await dispatcher.settled();
  if (store.campaign.row !== null) await dispatcher.calls.end(live());
}

/** Updates the campaign's row in D1 before the erasure is complete. */
async function finish({ store, outbox, now }: CampaignContext, id: string): Promise<void> {
  await outbox.push("d1");
  const erasure = store.campaign.row && store.erasures.get(id);
  if (erasure && !erasure.done) store.transaction(() => store.erasures.put({ ...erasure, done: true }), now());
}
