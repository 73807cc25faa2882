import type { tools } from "../../../kernel/db/schema/index.ts";
import { type EgressRules, judgeAddress } from "../../../kernel/egress/address.ts";
import type { FieldError } from "../../../kernel/http/errors.ts";
import { invalidFields } from "../../../kernel/http/issues.ts";
import type { Installed } from "../../integrations/readiness.ts";
import { argumentNames, checkSchema } from "./arguments.ts";
import { bindingFaults } from "./bind.ts";
import { argumentsIn, isSetUp, openBracesIn, parseHttpConfig, splitUrl, strayTokensIn } from "./config.ts";
import { unknownReferences } from "./references.ts";
import { hasSecrets, secretHostFault } from "./secret-hosts.ts";
import { templatedNames } from "./template.ts";

type Tool = Pick<typeof tools.$inferSelect, "implementation_type" | "implementation_config" | "schema" | "bind">;

/**
 * Refuses a tool that could never run, and lists all its errors. Only `sent` fields are checked: stored fields stay,
 * and their errors are reported when the tool runs. @throws ApiError 400
 */
export function assertRunnable(
  tool: Tool,
  sent: { schema: boolean; config: boolean; bind: boolean },
  rules: EgressRules,
): void {
  const faults = [
    ...(sent.schema ? schemaFaults(tool) : []),
    ...(sent.config ? configFaults(tool, rules) : []),
    ...(sent.schema || sent.config ? templateFaults(tool) : []),
    ...(sent.schema || sent.bind ? bindingFaults(tool) : []),
  ];
  if (faults.length > 0) throw invalidFields(faults, "invalid_tool");
}

function schemaFaults({ schema }: Tool): FieldError[] {
  const fault = checkSchema(schema);
  if (fault === null) return [];
  return [at("schema")("invalid", `is not a JSON Schema that arguments can be checked against: ${fault}`)];
}

function configFaults({ implementation_type, implementation_config }: Tool, rules: EgressRules): FieldError[] {
  const unknown = unknownReferences(implementation_config).map((name) =>
    inConfig("unknown_reference", `${name} is not a known integration or integration field`),
  );
  if (implementation_type !== "http" || !isSetUp(implementation_config)) return unknown;
  const parsed = parseHttpConfig(implementation_config);
  const faults = "faults" in parsed ? parsed.faults : addressFaults(parsed.config.url, rules);
  return [...faults.map(within), ...unknown];
}

/** Checks the part of the address that is known before a tool runs. */
function addressFaults(url: string, rules: EgressRules): FieldError[] {
  const { base, scheme, host, path } = splitUrl(url);
  // The base address of the account's own service was checked when it was stored, and is checked again when the tool
  // runs.
  if (base !== null) return [];
  const hasFixedHost = !host.includes("{{");
  const [fixedPath] = path.split("{");
  const verdict = judgeAddress(`${scheme}://${hasFixedHost ? host : "host.example.com"}${fixedPath}`, rules);
  return "url" in verdict ? [] : [at("url")("address_refused", verdict.refused)];
}

function templateFaults({ implementation_type, implementation_config, schema }: Tool): FieldError[] {
  if (implementation_type !== "http") return [];
  const parameters = argumentNames(schema);
  const unknown = [...argumentsIn(implementation_config)].filter((name) => !parameters.has(name));
  return [
    ...unknown.map((name) => inConfig("unknown_argument", `{${name}} is not one of the schema's properties`)),
    ...templatedNames(implementation_config).map((name) =>
      inConfig("invalid_name", `the name ${name.slice(0, 100)} must not contain a template; only values may`),
    ),
    ...strayTokensIn(implementation_config).map((token) =>
      inConfig("invalid", `${token.slice(0, 100)} must be {argument} or {{integration.name}}`),
    ),
    ...openBracesIn(implementation_config).map(({ field, open }) =>
      at(`implementation_config.${field}`)("invalid", `must close ${open.slice(0, 100)} with }}`),
    ),
  ];
}

/**
 * Refuses a tool that would send a secret to a host for which it was not given. Stored params are read only if the tool
 * uses a secret. @throws ApiError 400 `secret_host`
 */
export async function assertSecretHosts(
  { implementation_type, implementation_config }: Tool,
  readInstalls: () => Promise<Installed[]>,
): Promise<void> {
  if (implementation_type !== "http" || !hasSecrets(implementation_config)) return;
  const fault = secretHostFault(implementation_config, await readInstalls());
  if (fault !== null) throw invalidFields([inConfig("secret_host", fault)], "secret_host");
}

const at =
  (field: string) =>
  (code: string, message: string): FieldError => ({ field, code, message });
const inConfig = at("implementation_config");

/** Adds the path within the tool to an error of the configuration. */
function within({ field, code, message }: FieldError): FieldError {
  return { field: ["implementation_config", field].filter(Boolean).join("."), code, message };
}
