import { z } from "zod";
import { BUCKET_BINDINGS, prefixOf } from "../../stores.ts";
import { step } from "../step.ts";

/** The number of files listed and deleted at a time; R2 accepts 1,000 in one call. */
const AT_ONCE = 1_000;

/** Deletes the account's files, bucket by bucket, until none is listed. */
export const deleteFiles = step(z.object({ bucket: z.enum(BUCKET_BINDINGS) }), async ({ env, store }, at) => {
  const bucket = at?.bucket ?? BUCKET_BINDINGS[0];
  if (bucket === undefined) return { next: null };
  const { objects } = await env[bucket].list({ prefix: prefixOf(store.account), limit: AT_ONCE });
  if (objects.length > 0) {
    await env[bucket].delete(objects.map(({ key }) => key));
    return { deleted: { files: objects.length }, next: { bucket } };
  }
  const following = BUCKET_BINDINGS[BUCKET_BINDINGS.indexOf(bucket) + 1];
  return { next: following === undefined ? null : { bucket: following } };
});
