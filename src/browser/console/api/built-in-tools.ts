/** Tools that Switchboard's own runtime has without any being attached. */
export const BUILT_IN_TOOLS = [
  "end_call",
  "opt_out",
  "search_knowledge",
  "set_disposition",
  "set_language",
  "spell_back",
  "transfer_call",
  "work_out_date",
];

/**
 * Where a tool runs: built into Switchboard's own runtime, as a request that Switchboard sends, or in a runtime of the
 * account's.
 */
export type RunsIn = "built_in" | "platform" | "own_runtime";

/** Where a tool of this name and kind runs. */
export function runsIn({ name, implementation_type }: { name: string; implementation_type: string }): RunsIn {
  if (BUILT_IN_TOOLS.includes(name)) return "built_in";
  return implementation_type === "python" ? "own_runtime" : "platform";
}

/** The tools named that an agent with these lacks: nobody lacks what is built in. */
export function lackedTools(named: string[], attached: { tool_name: string; enabled: boolean }[]): string[] {
  const has = new Set(attached.flatMap(({ tool_name, enabled }) => (enabled ? [tool_name] : [])));
  return named.filter((name) => !has.has(name) && !BUILT_IN_TOOLS.includes(name));
}
