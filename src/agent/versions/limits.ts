import { DAY_MS } from "../../kernel/time.ts";

export const VERSIONS_BY_PLAN = { starter: 500, growth: 5_000, scale: 50_000 };
/** How many of an agent's latest versions are kept even if they are unused. */
export const KEPT_OF_AGENT = 50;
/** How long after a recorded use of a version another use is recorded, ms. */
export const USED_AGAIN_MS = DAY_MS;
