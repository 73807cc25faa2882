import type { Tone } from "../../../ui/tone.ts";
import type { Campaign, Counts } from "./campaign-events.ts";

type State = Pick<Campaign, "status">;

export const STATUS_TONES: Record<Campaign["status"], Tone> = {
  draft: "idle",
  running: "live",
  paused: "warn",
  stopped: "bad",
  completed: "ok",
};

/** Checks whether the campaign may still place calls. */
export const isOpen = ({ status }: State) => status === "draft" || status === "running" || status === "paused";

/** Checks whether its settings and contacts may be changed and it may be started. */
export const isAtRest = ({ status }: State) => status === "draft" || status === "paused";

export const isImporting = ({ status_reason }: Pick<Campaign, "status_reason">) => status_reason === "importing";

/**
 * Returns how many contacts are done, which means that their calls have ended. Canceled contacts weren't called and
 * don't count.
 */
export const doneOf = ({ completed, failed }: Pick<Counts, "completed" | "failed">) => completed + failed;
