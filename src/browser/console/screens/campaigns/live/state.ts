import type { Tone } from "../../../ui/tone.ts";
import type { Campaign, Counts } from "./campaign-events.ts";

type State = Pick<Campaign, "status">;

/** How a campaign stands, by its status. */
export const STATUS_TONES: Record<Campaign["status"], Tone> = {
  draft: "idle",
  running: "live",
  paused: "warn",
  stopped: "bad",
  completed: "ok",
};

/** Whether anybody may still be called. */
export const isOpen = ({ status }: State) => status === "draft" || status === "running" || status === "paused";

/** Whether its settings and contacts may be changed, and it may be started. */
export const isAtRest = ({ status }: State) => status === "draft" || status === "paused";

/** Whether a list of contacts is still being read into it. */
export const isImporting = ({ status_reason }: Pick<Campaign, "status_reason">) => status_reason === "importing";

/** How many of its contacts are done: their calls have ended. Whoever was canceled is not called, and not done. */
export const doneOf = ({ completed, failed }: Pick<Counts, "completed" | "failed">) => completed + failed;
