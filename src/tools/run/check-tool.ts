import type { tools } from "../../db/schema/index.ts";
import { type EgressRules, judgeAddress } from "../../egress/address.ts";
import { invalid } from "../../http/errors.ts";
import { argumentNames, checkSchema } from "./arguments.ts";
import { argumentsIn, isSetUp, parseHttpConfig, splitUrl, strayTokensIn } from "./config.ts";
import { unknownReferences } from "./references.ts";
import { templatedNames } from "./template.ts";

type Tool = Pick<typeof tools.$inferSelect, "implementation_type" | "implementation_config" | "schema">;

/**
 * Refuses a tool that could never run, naming everything that is wrong with it. Only what was `sent` is looked at: what
 * was stored before stays, and says so when it is run. @throws ApiError 400
 */
export function assertRunnable(tool: Tool, sent: { schema: boolean; config: boolean }, rules: EgressRules): void {
  const faults = [
    ...(sent.schema ? schemaFaults(tool) : []),
    ...(sent.config ? configFaults(tool, rules) : []),
    ...(sent.schema || sent.config ? templateFaults(tool) : []),
  ];
  if (faults.length > 0) throw invalid(faults.join("; "), "invalid_tool");
}

function schemaFaults({ schema }: Tool): string[] {
  const fault = checkSchema(schema);
  return fault === null ? [] : [`schema is no JSON Schema that arguments can be checked with: ${fault}`];
}

function configFaults({ implementation_type, implementation_config }: Tool, rules: EgressRules): string[] {
  const unknown = unknownReferences(implementation_config).map(
    (name) => `implementation_config: there is no ${name} among the integrations`,
  );
  if (implementation_type !== "http" || !isSetUp(implementation_config)) return unknown;
  const parsed = parseHttpConfig(implementation_config);
  const faults = "faults" in parsed ? parsed.faults : addressFaults(parsed.config.url, rules);
  return [...faults.map((fault) => `implementation_config.${fault}`), ...unknown];
}

/** What of the address is known before a tool runs. */
function addressFaults(url: string, rules: EgressRules): string[] {
  const { scheme, host, path } = splitUrl(url);
  const isKnown = !host.includes("{{");
  const [known] = path.split("{");
  const verdict = judgeAddress(`${scheme}://${isKnown ? host : "host.example.com"}${known}`, rules);
  return "url" in verdict ? [] : [`url: ${verdict.refused}`];
}

function templateFaults({ implementation_type, implementation_config, schema }: Tool): string[] {
  if (implementation_type !== "http") return [];
  const known = argumentNames(schema);
  const unknown = [...argumentsIn(implementation_config)].filter((name) => !known.has(name));
  return [
    ...unknown.map((name) => `implementation_config: {${name}} is not among the schema's properties`),
    ...templatedNames(implementation_config).map(
      (name) => `implementation_config: the name ${name.slice(0, 100)} must not hold a template; values may`,
    ),
    ...strayTokensIn(implementation_config).map(
      (token) => `implementation_config: ${token.slice(0, 100)} must be {argument} or {{integration.name}}`,
    ),
  ];
}
