/* Which backup an object is being restored from, or was, in its key-value storage. */
export const RESTORING = "restoring";
export const RESTORED = "restored";

/** Whether the object is only partly there: until its last page has come it is as if it held nothing. */
export function isRestoring({ kv }: Pick<DurableObjectStorage, "kv">): boolean {
  return kv.get(RESTORING) !== undefined;
}
