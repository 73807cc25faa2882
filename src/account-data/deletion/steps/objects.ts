import pMap from "p-map";
import { z } from "zod";
import type { HeldBy } from "../../../kernel/db/schema/index.ts";
import { objectNamed } from "../../../kernel/durable/objects.ts";
import { logError } from "../../../kernel/log.ts";
import type { IdsPage, ObjectBinding, StoredObject } from "../../../kernel/stores/stores.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../kernel/time.ts";
import { withinTime } from "../../../kernel/time-limit.ts";
import { BINDINGS, OBJECTS } from "../../stores.ts";
import { type Deleting, type Step, step } from "../step.ts";

/** The number of objects listed at a time. */
const PAGE = 500;
/** The number of objects emptied at a time, and how long one may take, ms. */
const AT_ONCE = 6;
const LONGEST_MS = 30 * SECOND_MS;
/**
 * The maximum number of failing objects that a deletion skips. It stores their names itself, because the rows that list
 * them are deleted.
 */
const MOST_HELD = 100;
/** All classes but this one: the deletion's own object stores the alarm with which it continues. */
const CLASSES = BINDINGS.filter((binding) => binding !== "ACCOUNT_DELETION");

/**
 * The list of conversations, which ledgers provide. Their volumes must not be emptied before the whole list was read.
 */
const LIST: HeldObject = { binding: "CONVERSATION", name: "" };

/** The current class, its last object, whether this walk has found anything, and the time (ms) until which to wait. */
const cursor = z.object({
  binding: z.enum(CLASSES),
  after: z.string().nullable(),
  found: z.boolean(),
  until: z.number().default(0),
});

type HeldObject = NonNullable<HeldBy["object"]>;
/** The results for some objects: the number that had data, those that were tried, and those that failed. */
interface Outcome {
  emptied: number;
  tried: HeldObject[];
  failed: HeldObject[];
}

interface Walks {
  /** How long an object may fail before the step ends without it, ms; null if the step waits for it. */
  passedOverAfterMs: number | null;
  /** How long a message of an emptied object may take to reach another object, ms. */
  arrivalMs: number;
}

/**
 * Empties the account's objects class by class, and repeats the walk until it finds all of them empty. A walk that
 * found something is repeated after `arrivalMs`, because a late message may have stored something in an object that was
 * already empty. A failing object blocks no others. It is retried every minute, after an hour every hour, and the
 * status names it.
 */
export function emptyObjects({ passedOverAfterMs, arrivalMs }: Walks): Step {
  return step(cursor, async (work, at) => {
    const first = CLASSES[0];
    if (first === undefined) return { next: null };
    const { binding, after, found, until } = at ?? { binding: first, after: null, found: false, until: 0 };
    if (work.now < until) return { next: at, waitUntil: until };
    const isNewWalk = binding === first && after === null;
    const again = isNewWalk ? await emptyHeld(work) : NOTHING;
    const page = await emptyPage(work, binding, after);
    const heldBy = heldAfter(work, [...again.tried, ...page.tried], [...again.failed, ...page.failed]);
    const objects = again.emptied + page.emptied;
    const result = { deleted: { objects }, heldBy };
    const hasFound = found || objects > 0;
    const following = CLASSES[CLASSES.indexOf(binding) + 1];
    if (page.next !== null) return Object.assign(result, { next: { binding, after: page.next, found: hasFound } });
    if (following) return Object.assign(result, { next: { binding: following, after: null, found: hasFound } });
    const newWalk = { binding: first, after: null, found: false };
    const waitUntil = hasFound ? work.now + arrivalMs : nextTry(heldBy, work.now, passedOverAfterMs);
    if (waitUntil === null) return Object.assign(result, { next: null });
    return Object.assign(result, { next: Object.assign(newWalk, { until: waitUntil }), waitUntil });
  });
}

const NOTHING: Outcome = { emptied: 0, tried: [], failed: [] };

/** Returns when (ms) to retry the failing objects; null if none fail, or if the step ends without them. */
function nextTry(heldBy: HeldBy[], now: number, passedOverAfterMs: number | null): number | null {
  if (heldBy.length === 0) return null;
  const heldMs = now - Math.min(...heldBy.map(({ since }) => Date.parse(since)));
  if (passedOverAfterMs !== null && heldMs >= passedOverAfterMs && heldBy.length < MOST_HELD) return null;
  return now + (heldMs < HOUR_MS ? MINUTE_MS : HOUR_MS);
}

/** Empties a page of a class; `next` is where the list continues. */
async function emptyPage(
  work: Deleting,
  binding: ObjectBinding,
  after: string | null,
): Promise<Outcome & Pick<IdsPage, "next">> {
  const { env, store, row } = work;
  try {
    const { listing, at } = OBJECTS[binding];
    const listed = listing.list({ env, store, volumes: row.volumes }, after, PAGE);
    const { ids, next } = await withinTime(listed, LONGEST_MS);
    const stubs = ids.map((id) => at(env, store.account, id));
    const objects = stubs.map((stub) => ({ stub, object: { binding, name: stub.name ?? "" } }));
    const tried = objects.map(({ object }) => object);
    if (binding === "ACCOUNT_LEDGER" && isHeld(row.held_by, LIST)) return { emptied: 0, tried, failed: tried, next };
    const outcome = await emptyAll(objects);
    if (binding === LIST.binding && next === null) outcome.tried.push(LIST);
    return Object.assign(outcome, { next });
  } catch (error) {
    // D1 lists the objects of all other classes, so this is a failure of D1.
    if (binding !== LIST.binding) throw error;
    logError("account deletion", error, { account: store.account, object: "the list of conversations" });
    return { emptied: 0, tried: [LIST], failed: [LIST], next: null };
  }
}

/** Retries the objects that failed, which D1 may no longer list. Skips the entry for the list of conversations. */
async function emptyHeld({ env, row }: Deleting): Promise<Outcome> {
  const objects = row.held_by.flatMap(({ object }) => {
    const binding = CLASSES.find((name) => name === object?.binding);
    if (!object || binding === undefined || binding === "ACCOUNT_LEDGER" || object.name === LIST.name) return [];
    return [{ stub: objectNamed<StoredObject>(env[binding], object.name), object }];
  });
  return emptyAll(objects);
}

async function emptyAll(objects: { stub: StoredObject; object: HeldObject }[]): Promise<Outcome> {
  const failed: HeldObject[] = [];
  const empty = async ({ stub, object }: (typeof objects)[number]): Promise<boolean> => {
    try {
      return await withinTime(stub.deleteEverything(), LONGEST_MS);
    } catch (error) {
      logError("account deletion", error, { object: `${object.binding} ${object.name}` });
      failed.push(object);
      return false;
    }
  };
  const held = await pMap(objects, empty, { concurrency: AT_ONCE });
  return { emptied: held.filter(Boolean).length, tried: objects.map(({ object }) => object), failed };
}

/** Returns the objects that block the deletion after these were tried. */
function heldAfter({ row, now }: Deleting, tried: HeldObject[], failed: HeldObject[]): HeldBy[] {
  const before = row.held_by.filter(({ object }) => object !== null);
  const untried = before.filter(({ object }) => !tried.some((one) => isSame(one, object)));
  const since = (object: HeldObject) => before.find((one) => isSame(object, one.object))?.since;
  // An object may have been tried twice: because D1 lists it, and by its stored name.
  const once = failed.filter((object, n) => failed.findIndex((one) => isSame(one, object)) === n);
  const own = once.map((object) => ({
    step: row.step ?? "",
    object,
    since: since(object) ?? new Date(now).toISOString(),
  }));
  return [...untried, ...own].slice(0, MOST_HELD);
}

function isHeld(heldBy: HeldBy[], object: HeldObject): boolean {
  return heldBy.some((one) => isSame(object, one.object));
}

function isSame(one: HeldObject, other: HeldBy["object"]): boolean {
  return one.binding === other?.binding && one.name === other.name;
}
