import { DAY_MS } from "../../kernel/time.ts";

/** How many versions an account keeps, by its plan. */
export const VERSIONS_BY_PLAN = { starter: 500, growth: 5_000, scale: 50_000 };
/** How many of an agent's latest versions are kept even if unused. */
export const KEPT_OF_AGENT = 50;
/** The use of a version is recorded again after this long, ms. */
export const USED_AGAIN_MS = DAY_MS;
