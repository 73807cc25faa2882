import type { z } from "@hono/zod-openapi";
import type { sessionSnapshot } from "../contract.ts";

export type { CampaignCall } from "../../../phone/calls/campaign-call.ts";

/** What a runtime is told of its session: made once, then frozen. */
export type SessionSnapshot = z.output<typeof sessionSnapshot>;

/**
 * A snapshot as an earlier version may have stored it: its tools may change something, and run as often as then, and its
 * agent transfers nobody.
 */
export function completedSnapshot(stored: SessionSnapshot): SessionSnapshot {
  const defaults = { effect: "write", max_runs: null } as const;
  const tools = stored.tools.map((tool) => Object.assign({}, defaults, tool));
  const agent = Object.assign({ transfer_targets: [] }, stored.agent);
  return Object.assign({}, stored, { tools, agent });
}
