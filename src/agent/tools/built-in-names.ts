/** The built-in tools that act on the conversation itself. */
export const CONVERSATION_TOOLS: readonly string[] = [
  "end_call",
  "opt_out",
  "set_disposition",
  "set_language",
  "transfer_call",
];

/** The built-in tools without effects: they only compute an answer. */
export const PURE_TOOLS: readonly string[] = ["search_knowledge", "spell_back", "work_out_date"];

/**
 * Checks whether a tool of this name is built in. Every agent may use it without attaching it, and an account's own
 * tool of the same name never runs in its place.
 */
export const isBuiltIn = (name: string): boolean => CONVERSATION_TOOLS.includes(name) || PURE_TOOLS.includes(name);
