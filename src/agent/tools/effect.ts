import type { tools } from "../../kernel/db/schema/index.ts";

export const DEFAULT_WRITE_RUNS = 3;

/** Whether a tool only reads, or changes something. */
export type Effect = "read" | "write";

type ToolRow = typeof tools.$inferSelect;
type Effective = Pick<ToolRow, "effect" | "implementation_type" | "implementation_config">;

/** Returns a tool's effect: its own setting, otherwise the one implied by its request's method. */
export function effectOf({ effect, implementation_type, implementation_config }: Effective): Effect {
  if (effect !== null) return effect;
  const { method = "GET" } = implementation_config;
  return implementation_type === "http" && String(method).toUpperCase() === "GET" ? "read" : "write";
}

/** Returns how often a tool may run in one conversation; null means without limit. */
export function maxRunsOf(tool: Effective & Pick<ToolRow, "max_runs">): number | null {
  return tool.max_runs ?? (effectOf(tool) === "write" ? DEFAULT_WRITE_RUNS : null);
}

/** Returns a tool in its API form, with defaults filled in. */
export function projectTool<T extends Effective & Pick<ToolRow, "max_runs" | "bind">>(row: T) {
  return Object.assign({}, row, { effect: effectOf(row), max_runs: maxRunsOf(row), bind: row.bind ?? {} });
}
