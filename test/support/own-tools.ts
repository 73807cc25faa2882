import { PURE_TOOLS } from "../../src/agent/tools/built-in-names.ts";

/** The account's own tools among those of a session, which has the built-in ones too. */
export const ownTools = <T extends { name: string }>(tools: T[]): T[] =>
  tools.filter(({ name }) => !PURE_TOOLS.includes(name));
