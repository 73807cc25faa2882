import { DAY_MS } from "../../kernel/time.ts";

export const VERSIONS_BY_PLAN = { starter: 500, growth: 5_000, scale: 50_000 };
/** The number of an agent's latest versions that are kept even if they are unused. */
export const KEPT_OF_AGENT = 50;
/** The minimum interval between two recorded uses of a version, ms. */
export const USED_AGAIN_MS = DAY_MS;
