import { env } from "cloudflare:workers";
import { OBJECTS } from "../../src/account-data/stores.ts";
import type { BucketBinding, ListContext, ObjectBinding } from "../../src/kernel/stores/stores.ts";

/** Returns the Worker's bindings of a kind, such as `R2Bucket`. */
export function bound(kind: string): string[] {
  const found = Object.entries(env).filter(([, value]) => value?.constructor?.name === kind);
  return found.map(([name]) => name).sort();
}

/** Every bound class of objects, whether or not it is listed. */
export const BINDINGS = bound("DurableObjectNamespace") as ObjectBinding[];
/** Every bound bucket, whether or not it is listed. */
export const BUCKET_BINDINGS = bound("R2Bucket") as BucketBinding[];

/** Yields the objects of a class. */
export async function* objectsOf(binding: ObjectBinding, context: ListContext): AsyncGenerator<DurableObjectStub> {
  const { listing, at } = OBJECTS[binding];
  for (let after: string | null = null, isEnd = false; !isEnd; ) {
    const { ids, next } = await listing.list(context, after, 500);
    for (const id of ids)
      yield env[binding].getByName(at(context.env, context.store.account, id).name ?? "") as DurableObjectStub;
    [after, isEnd] = [next, next === null];
  }
}
