import type { Body } from "../../api/client.ts";
import { formatJson, isObject, objectIn } from "../../ui/json.ts";
import { bindingsOf } from "./binding-rows.ts";

/** The editable fields of a tool, with its schema and configuration as JSON. */
export interface Definition {
  description: string;
  tags: string[];
  schema: string;
  implementation_config: string;
  implementation_code: string;
  /** "" for the default, which depends on the request's method. */
  effect: Body<"Tool">["effect"] | "";
  /** Null for the default, which depends on the effect. */
  max_runs: number | null;
  /** As JSON. */
  bind: string;
}

/** Returns the form's values of a tool. */
export function definitionOf(tool: Body<"UpdateToolRequest">): Definition {
  return {
    description: tool.description ?? "",
    tags: tool.tags ?? [],
    schema: formatJson(tool.schema ?? { type: "object", properties: {} }),
    implementation_config: formatJson(tool.implementation_config ?? {}),
    implementation_code: tool.implementation_code ?? "",
    effect: tool.effect ?? "",
    max_runs: tool.max_runs ?? null,
    bind: formatJson(tool.bind ?? {}),
  };
}

/** Returns the fields of a definition to send for this type. */
export function sentDefinition(
  { description, tags, schema, implementation_config, implementation_code, effect, max_runs, bind }: Definition,
  type: Body<"Tool">["implementation_type"],
) {
  const bindings = bindingsOf(objectIn(bind) ?? {}, parametersIn(schema)) as Body<"Tool">["bind"];
  return {
    description,
    tags,
    schema: objectIn(schema) ?? {},
    implementation_config: type === "http" ? (objectIn(implementation_config) ?? {}) : {},
    implementation_code: type === "python" ? implementation_code : "",
    effect: effect === "" ? null : effect,
    max_runs,
    bind: bindings,
  };
}

/** Returns the argument names in a schema, given as JSON. */
export function parametersIn(schema: string): string[] {
  const properties = objectIn(schema)?.properties;
  return isObject(properties) ? Object.keys(properties) : [];
}
