import pMap from "p-map";
import { z } from "zod";
import { ACCOUNT_OBJECTS, type ObjectBinding } from "../../objects/account-objects.ts";
import { step } from "../step.ts";

/** Objects emptied at a time. */
const AT_ONCE = 6;
/** The deletion's own object stores nothing but the alarm by which it goes on. */
const CLASSES = (Object.keys(ACCOUNT_OBJECTS) as ObjectBinding[]).filter((binding) => binding !== "ACCOUNT_DELETION");

/** The class that it is at, the last object of it, and whether this walk has found anything. */
const place = z.object({ binding: z.enum(CLASSES), after: z.string(), found: z.boolean() });

/** Empties the account's objects, class by class, and walks through them again until a walk finds all of them empty. */
export const emptyObjects = step(place, async ({ env, store, row }, at) => {
  const first = CLASSES[0];
  if (first === undefined) return { next: null };
  const { binding, after, found } = at ?? { binding: first, after: "", found: false };
  const { stubs, next } = await ACCOUNT_OBJECTS[binding]({ env, store, volumes: row.volumes }, after);
  const emptied = await pMap<Emptied, boolean>(stubs, (stub) => stub.deleteEverything(), { concurrency: AT_ONCE });
  const objects = emptied.filter((held) => held).length;
  const result = { deleted: { objects } };
  const hasFound = found || objects > 0;
  const following = CLASSES[CLASSES.indexOf(binding) + 1];
  if (next !== null) return Object.assign(result, { next: { binding, after: next, found: hasFound } });
  if (following) return Object.assign(result, { next: { binding: following, after: "", found: hasFound } });
  return Object.assign(result, { next: hasFound ? { binding: first, after: "", found: false } : null });
});

interface Emptied {
  deleteEverything(): Promise<boolean>;
}
