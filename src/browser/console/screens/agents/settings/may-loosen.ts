import type { Settings } from "./settings-form.ts";

type Stored = Pick<Settings, "storage" | "redact">;

/** How little each storage keeps. */
const STRICTNESS: Record<Settings["storage"], number> = { all: 0, redacted: 1, metadata: 2 };

/** Whether an agent that is stored so may be given this storage without the scope `manage`: not if more is kept then. */
export function mayChooseStorage({ storage }: Stored, chosen: Settings["storage"]): boolean {
  return STRICTNESS[chosen] >= STRICTNESS[storage];
}

/**
 * Whether a kind may be left unredacted without the scope `manage`: if it is so already, or if everything is kept as
 * spoken today.
 */
export function mayDropKind({ storage, redact }: Stored, kind: Settings["redact"][number]): boolean {
  return storage === "all" || !redact.includes(kind);
}
