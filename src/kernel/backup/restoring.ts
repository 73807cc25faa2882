/* The storage keys of the backup from which the object is being restored, and of the one from which it was restored. */
export const RESTORING = "restoring";
export const RESTORED = "restored";

/** Checks whether the object is only partly restored. It counts as empty until its last page arrives. */
export function isRestoring({ kv }: Pick<DurableObjectStorage, "kv">): boolean {
  return kv.get(RESTORING) !== undefined;
}
