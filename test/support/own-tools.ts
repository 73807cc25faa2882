import { PURE_TOOLS } from "../../src/agent/tools/built-in-names.ts";

/** Returns the account's own tools of a session, without the built-in ones. */
export const ownTools = <T extends { name: string }>(tools: T[]): T[] =>
  tools.filter(({ name }) => !PURE_TOOLS.includes(name));
