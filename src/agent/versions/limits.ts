import { DAY_MS } from "../../kernel/time.ts";

/** How many versions an account keeps, by its plan. */
export const VERSIONS_BY_PLAN = { starter: 500, growth: 5_000, scale: 50_000 };
/** So many of an agent's latest versions are kept, however long nobody has used them. */
export const KEPT_OF_AGENT = 50;
/** That a version is in use is noted again after so long, ms. */
export const USED_AGAIN_MS = DAY_MS;
