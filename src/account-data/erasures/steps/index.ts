import { z } from "zod";
import type { Sweep } from "../../../kernel/erasure/sweep.ts";
import type { ObjectStore, ObjectSweep, StoredObject } from "../../../kernel/stores/stores.ts";
import { D1_ENTRIES, OBJECTS } from "../../stores.ts";
import type { Step } from "../step.ts";
import { deleteAtCarriers } from "./carriers.ts";
import { hangUpLive } from "./live.ts";
import { eraseRecords } from "./records.ts";

type Steps = Readonly<Record<string, Step>>;

/** The current object of a sweep, and the position in it. */
const cursor = z.object({ id: z.string(), at: z.unknown() }).nullable();

/** Sweeps the objects of a class one after the other. */
function inEach(
  { at: objectAt, listing }: ObjectStore,
  { run, list = listing.list }: ObjectSweep<StoredObject>,
): Sweep {
  return async (work, from) => {
    const { env, store } = work;
    const after = async (last: string | null) => (await list({ env, store }, last, 1)).ids[0];
    const { id = await after(null), at = null } = cursor.parse(from) ?? {};
    if (id === undefined) return { next: null };
    const swept = await run(objectAt(env, store.account, id), work, at);
    if (swept.next !== null) return Object.assign(swept, { next: { id, at: swept.next } });
    const following = await after(id);
    return Object.assign(swept, { next: following === undefined ? null : { id: following, at: null } });
  };
}

/** Returns the steps that sweep the classes of objects. */
function ofObjects(isFirst: boolean): Steps {
  const steps = Object.values(OBJECTS).flatMap((objects) =>
    Object.entries("sweeps" in objects ? objects.sweeps : {})
      .filter(([, sweep]) => (sweep.isFirst ?? false) === isFirst)
      .map(([name, sweep]) => [name, inEach(objects, sweep)] as const),
  );
  return Object.fromEntries(steps);
}

const inD1: Steps = Object.fromEntries(D1_ENTRIES.flatMap(([, { sweeps = {} }]) => Object.entries(sweeps)));

/**
 * The steps of an erasure in order. Live calls end first. Then come the objects that report to the ledger, and the
 * records that the ledger lists. Every other store follows, searched by the identifiers found so far. Jobs store their
 * progress under these names.
 */
export const STEPS: Steps = {
  live: hangUpLive,
  ...ofObjects(true),
  records: eraseRecords,
  carriers: deleteAtCarriers,
  ...inD1,
  ...ofObjects(false),
};
