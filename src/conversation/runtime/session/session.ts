import type { z } from "@hono/zod-openapi";
import type { sessionSnapshot } from "../contract.ts";

export type { CampaignCall } from "../../../phone/calls/campaign-call.ts";

/** What a runtime is told of its session: made once, then frozen. */
export type SessionSnapshot = z.output<typeof sessionSnapshot>;
