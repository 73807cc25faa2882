import type { Settings } from "./settings-form.ts";

type Stored = Pick<Settings, "storage" | "redact">;

/** How strict each storage setting is. Stricter ones store less. */
const STRICTNESS: Record<Settings["storage"], number> = { all: 0, redacted: 1, metadata: 2 };

/**
 * Checks whether a user without the scope `manage` may choose this storage. They may not if it stores more than the
 * current one.
 */
export function mayChooseStorage({ storage }: Stored, chosen: Settings["storage"]): boolean {
  return STRICTNESS[chosen] >= STRICTNESS[storage];
}

/**
 * Checks whether a user without the scope `manage` may leave a kind unredacted. They may if it is already unredacted,
 * or if everything is currently stored as spoken.
 */
export function mayDropKind({ storage, redact }: Stored, kind: Settings["redact"][number]): boolean {
  return storage === "all" || !redact.includes(kind);
}
