/** Tools that Switchboard's own runtime has even if none is attached. */
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

/** Where a tool runs: in Switchboard's own runtime, as a request from Switchboard, or in the account's own runtime. */
export type RunsIn = "built_in" | "platform" | "own_runtime";

export function runsIn({ name, implementation_type }: { name: string; implementation_type: string }): RunsIn {
  if (BUILT_IN_TOOLS.includes(name)) return "built_in";
  return implementation_type === "python" ? "own_runtime" : "platform";
}

/** Returns the named tools that an agent with these attached tools can't use. Every agent has the built-in ones. */
export function lackedTools(named: string[], attached: { tool_name: string; enabled: boolean }[]): string[] {
  const has = new Set(attached.flatMap(({ tool_name, enabled }) => (enabled ? [tool_name] : [])));
  return named.filter((name) => !has.has(name) && !BUILT_IN_TOOLS.includes(name));
}
