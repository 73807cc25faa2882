import type { ModelTool } from "../model.ts";
import { type Argument, argumentsOf, findArguments, type Source, topicOf } from "./arguments.ts";
import type { Finding } from "./knowledge.ts";
import { isCommonRoot, rootsOf, spaced } from "./words.ts";

/** The tools the runtime itself has; all others are the account's. */
export const BUILT_IN: ReadonlySet<string> = new Set(["opt_out", "end_call", "transfer_call", "set_disposition"]);

/** A tool that the words name, with what they say for it. */
export interface NamedTool {
  tool: ModelTool;
  wanted: Argument[];
  args: Map<string, unknown>;
  /** Whether all that the tool requires was said, and whether the words have its whole name. */
  whole: boolean;
  byName: boolean;
}

/** Most tools that are considered. */
const MAX_TOOLS = 100;

/** The tool that the words name; null where they name none. `about` is what the agent knows of the matter. */
export function namedTool(tools: ModelTool[], source: Source, about: Finding | undefined): NamedTool | null {
  const said = new Set(rootsOf(source.text));
  let best: { named: NamedTool; score: number } | null = null;
  for (const tool of tools.filter(({ name }) => !BUILT_IN.has(name)).slice(0, MAX_TOOLS)) {
    const score = nameScore(tool, said, about);
    const wanted = score && argumentsOf(tool);
    if (!score || !wanted || (best && score.value <= best.score)) continue;
    const args = findArguments(wanted, source);
    const required = wanted.filter((one) => one.required);
    const [only] = required;
    const topic = only?.kind === "words" && required.length === 1 ? topicOf(source.text, tool.name) : undefined;
    if (only && topic !== undefined && !args.has(only.name)) args.set(only.name, topic);
    const whole = required.every(({ name }) => args.has(name));
    if (!score.sure && !(whole && required.length > 0)) continue;
    best = { named: { tool, wanted, args, whole, byName: score.byName }, score: score.value };
  }
  return best?.named ?? null;
}

/** How well the words name a tool: by all of its name, by a part of it and of its description, or by a playbook. */
function nameScore({ name, description }: ModelTool, said: Set<string>, about: Finding | undefined) {
  const roots = rootsOf(spaced(name));
  const named = roots.filter((root) => said.has(root));
  // Words as common as "get" name nothing alone.
  const telling = named.some((root) => !isCommonRoot(root));
  const described = new Set(rootsOf(description.slice(0, 1_000)).filter((root) => !isCommonRoot(root)));
  const hits = [...described].filter((root) => said.has(root) && !roots.includes(root)).length;
  const share = named.length / Math.max(1, roots.length);
  const byName = share === 1 && (telling || roots.length > 1);
  const byPlaybook = about?.kind === "playbook" && telling && about.content.includes(`\`${name}\``);
  const isPart = telling && share >= 0.5;
  const sure = byName || byPlaybook || hits >= 3 || (isPart && hits > 0);
  return sure || isPart ? { value: 3 * share + hits / 2 + (byPlaybook ? 1 : 0), byName, sure } : null;
}
