import type { tools } from "../../kernel/db/schema/index.ts";
import type { CatalogIntegration, IntegrationCheck } from "../catalog/types.ts";
import { type Installed, readinessOf } from "./readiness.ts";

type ToolRow = Pick<
  typeof tools.$inferSelect,
  "name" | "implementation_type" | "implementation_config" | "schema" | "bind" | "effect"
>;

/** Whether the stored values work at the vendor, and a sentence for people. */
export interface Verdict {
  ok: boolean;
  detail: string;
}

/** The result of the request, from the executor of `http` tools, without secrets. */
interface CheckRun {
  ok: boolean;
  response: { status: number } | null;
  result: unknown;
  error: string | null;
}

/** The maximum number of characters read from a successful response at a path. */
const MAX_EXPECTED_CHARS = 1_000;

/** Sends an integration's read-only check through `run`, if the integration is ready and has a check. */
export async function verify(
  integration: CatalogIntegration,
  install: Installed | undefined,
  run: (tool: ToolRow) => Promise<CheckRun>,
): Promise<Verdict> {
  const { checks } = integration;
  const { reason } = readinessOf(integration, install);
  if (reason !== null) return { ok: false, detail: reason };
  if ("none" in checks) {
    const detail = `${integration.display_name} cannot be checked without side effects: ${checks.none}`;
    return { ok: false, detail };
  }
  return judge(integration, checks, await run(toolOf(integration, checks)));
}

/** Converts a check to a tool without arguments, which the executor runs like any other. */
function toolOf({ name }: CatalogIntegration, { expects, ...request }: IntegrationCheck): ToolRow {
  const response = { path: expects?.path, max_chars: MAX_EXPECTED_CHARS };
  return {
    name: `verify_${name}`,
    implementation_type: "http",
    implementation_config: { ...request, ...(expects && { response }) },
    schema: { type: "object", properties: {} },
    bind: null,
    effect: "read",
  };
}

function judge({ display_name, params, secrets }: CatalogIntegration, check: IntegrationCheck, run: CheckRun): Verdict {
  const not = (detail: string): Verdict => ({ ok: false, detail });
  if (run.response === null) return not(run.error ?? `${display_name} could not be reached`);
  const used = [...params, ...secrets]
    .map(({ name }) => name)
    .filter((name) => JSON.stringify(check).includes(`.${name}}}`));
  const look = `check ${used.join(", ")}`;
  const { status } = run.response;
  if (status === 401 || status === 403)
    return not(`${display_name} refused the stored credentials (${status}): ${look}`);
  if (status === 404) return not(`${display_name} found nothing at this address (404): ${look}`);
  if (status === 429) return not(`${display_name} received too many requests (429): try again later`);
  if (status >= 500) return not(`${display_name} is having problems (${status}): try again later`);
  if (status < 200 || status >= 300) return not(`${display_name} rejected the request (${status}): ${look}`);
  if (!run.ok || !meets(check.expects, run.result))
    return not(`${display_name} does not recognize the stored credentials: ${look}`);
  return { ok: true, detail: `${display_name} accepts the stored credentials` };
}

function meets(expects: IntegrationCheck["expects"], found: unknown): boolean {
  if (!expects) return true;
  return expects.value === undefined ? found !== null && found !== undefined : found === expects.value;
}
