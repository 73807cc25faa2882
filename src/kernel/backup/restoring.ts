/* Storage keys: the backup that the object is being restored from, and the one it was restored from. */
export const RESTORING = "restoring";
export const RESTORED = "restored";

/** Checks whether the object is only partly restored. Until its last page arrives it counts as empty. */
export function isRestoring({ kv }: Pick<DurableObjectStorage, "kv">): boolean {
  return kv.get(RESTORING) !== undefined;
}
