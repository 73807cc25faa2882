import type { Body } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import type { Tone } from "../../ui/values.tsx";

/** Has the list and its panel ask again, after a change. */
export const keysChanged = () => queries.invalidateQueries({ queryKey: ["api-keys"] });

/** Whether a key opens the door; `now` in ms. */
export function stateOf(key: Body<"ApiKey">, now: number): "active" | "disabled" | "expired" {
  if (key.disabled_at !== null) return "disabled";
  return key.expires_at !== null && Date.parse(key.expires_at) <= now ? "expired" : "active";
}

/** The tone of each state. */
export const TONES = { active: "ok", disabled: "idle", expired: "warn" } as const satisfies Record<string, Tone>;
