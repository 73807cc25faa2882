import { CONVERSATION_TOOLS, PURE_TOOLS } from "../../../../agent/tools/built-in-names.ts";
import type { ModelTool } from "../model.ts";
import { type Argument, argumentsOf, findValues } from "./arguments.ts";
import type { Finding } from "./knowledge.ts";
import { isCommon, rootsOf, spaced } from "./words.ts";

/** The runtime's own tools; all others belong to the account. The scripted model searches and spells without them. */
export const BUILT_IN: ReadonlySet<string> = new Set([...CONVERSATION_TOOLS, ...PURE_TOOLS]);

/** A tool named by the caller's words, with its found and missing arguments. */
export interface NamedTool {
  tool: ModelTool;
  args: Map<string, unknown>;
  missing: Argument[];
}

const MAX_TOOLS = 100;

/**
 * Returns the tool that the words match best: by its name, by parts of its name and description, or by a playbook's
 * step.
 */
export function namedTool(
  tools: ModelTool[],
  text: string,
  variables: ReadonlyMap<string, string>,
  found: Finding | undefined,
): NamedTool | null {
  const spokenRoots = new Set(rootsOf(text));
  let best: { named: NamedTool; score: number } | null = null;
  for (const tool of tools.filter(({ name }) => !BUILT_IN.has(name)).slice(0, MAX_TOOLS)) {
    const roots = rootsOf(spaced(tool.name));
    const spoken = roots.filter((root) => spokenRoots.has(root));
    const share = spoken.length / Math.max(1, roots.length);
    // Words as common as "get" do not identify a tool alone.
    const isDistinctive = spoken.some((root) => !isCommon(root));
    const described = new Set(rootsOf(tool.description.slice(0, 1_000)));
    const hits = [...described].filter(
      (root) => spokenRoots.has(root) && !isCommon(root) && !roots.includes(root),
    ).length;
    const isStep = isDistinctive && found?.kind === "playbook" && found.content.includes(`\`${tool.name}\``);
    const score = 3 * share + hits / 2 + Number(isStep);
    const wanted = argumentsOf(tool);
    if (!wanted || !(isStep || (isDistinctive && share >= 0.5) || (share === 1 && roots.length > 1))) continue;
    if (best && score <= best.score) continue;
    const args = findValues(wanted, text, variables);
    const required = wanted.filter((one) => one.required);
    const missing = required.filter(({ name }) => !args.has(name));
    // A part of a name may be a coincidence unless the arguments were also found.
    const isSure = share === 1 || isStep || hits > 0 || (required.length > 0 && missing.length === 0);
    if (isSure) best = { named: { tool, args, missing }, score };
  }
  return best?.named ?? null;
}
