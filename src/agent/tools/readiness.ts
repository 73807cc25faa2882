import type { tools } from "../../kernel/db/schema/index.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import type { Installed } from "../integrations/readiness.ts";
import { isBuiltIn } from "./built-in-names.ts";
import { whyUnavailable } from "./run/secret-hosts.ts";

/** The setting that determines which runtime holds conversations. */
export type RuntimeSettings = Pick<Bindings, "VOICE_RUNTIME_URL">;

type Tool = Pick<typeof tools.$inferSelect, "name" | "implementation_type" | "implementation_config">;

const PYTHON =
  "the tool is written in Python, which Switchboard's own runtime doesn't run: set up your own runtime " +
  "(VOICE_RUNTIME_URL)";

/**
 * Returns whether conversations can use a tool, and a sentence with the reason if not. Both the account's integrations
 * and the runtime in use must allow it, except for built-in tools.
 */
export function readinessOfTool(tool: Tool, installs: Installed[], { VOICE_RUNTIME_URL }: RuntimeSettings) {
  const { name, implementation_type, implementation_config } = tool;
  const runsHere = implementation_type !== "python" || VOICE_RUNTIME_URL !== "";
  const reason = isBuiltIn(name)
    ? null
    : (whyUnavailable(implementation_config, installs) ?? (runsHere ? null : PYTHON));
  return { ready: reason === null, reason };
}
