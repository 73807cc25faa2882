import { z } from "zod";
import type { Api } from "./api.ts";

const budgets = z.object({
  budgets: z.array(
    z.object({
      scope: z.string(),
      scope_id: z.string().nullable(),
      period: z.string(),
      unit: z.string(),
      limit: z.number(),
      action: z.string(),
    }),
  ),
});

/**
 * Returns the version of the account's tools. An act that uses tools depends on it, because an agent's own version only
 * covers which tools it has, not what they do.
 * @throws Refused
 */
export async function restsOnTools(api: Api): Promise<string[]> {
  return [(await api.revised("/api/v1/tools", z.unknown())).version];
}

/** Describes the budgets of the account, of API keys, and of these agents and campaigns. @throws Refused */
export async function budgetsOf(api: Api, ids: (string | null)[]): Promise<string> {
  const { budgets: all } = await api.get("/api/v1/budgets", budgets);
  const those = all.filter(
    ({ scope, scope_id }) => scope === "account" || scope === "api_key" || ids.includes(scope_id),
  );
  const words = those.map(
    ({ scope, period, unit, limit, action }) => `${limit} ${unit} a ${period} (${scope}: ${action})`,
  );
  return words.sort().join("; ");
}
