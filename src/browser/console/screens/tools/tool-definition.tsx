import { createMemo, Show } from "solid-js";
import type { Body } from "../../api/client.ts";
import { tools as t } from "../../texts/index.ts";
import { Fields, TextArea } from "../../ui/fields.tsx";
import type { createForm } from "../../ui/form.ts";
import { formatJson, isObject, objectIn } from "../../ui/json.ts";
import { TagsField } from "../../ui/tags-field.tsx";
import { ParametersEditor } from "./parameters-editor.tsx";
import { RequestEditor } from "./request-editor.tsx";

/** What of a tool can be changed; its schema and configuration as JSON. */
export interface Definition {
  description: string;
  tags: string[];
  schema: string;
  implementation_config: string;
  implementation_code: string;
}

/** How a definition is edited. */
export function definitionOf(tool: Body<"UpdateToolRequest">): Definition {
  return {
    description: tool.description ?? "",
    tags: tool.tags ?? [],
    schema: formatJson(tool.schema ?? { type: "object", properties: {} }),
    implementation_config: formatJson(tool.implementation_config ?? {}),
    implementation_code: tool.implementation_code ?? "",
  };
}

/** What is sent of a definition of this type. */
export function sentDefinition(
  { description, tags, schema, implementation_config, implementation_code }: Definition,
  type: Body<"Tool">["implementation_type"],
) {
  return {
    description,
    tags,
    schema: objectIn(schema) ?? {},
    implementation_config: type === "http" ? (objectIn(implementation_config) ?? {}) : {},
    implementation_code: type === "python" ? implementation_code : "",
  };
}

/** What of a definition was changed: an old part that would be refused today does not stand in the way of the others. */
export function changedDefinition(before: Definition, after: Definition, type: Body<"Tool">["implementation_type"]) {
  const stored = new Map(Object.entries(sentDefinition(before, type)));
  const changed = Object.entries(sentDefinition(after, type)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(stored.get(name)),
  );
  return Object.fromEntries(changed);
}

/** The fields of a definition. */
export function DefinitionFields<Values extends Definition>(props: {
  values: Values;
  set: (name: keyof Definition, value: string | string[]) => void;
  error: ReturnType<typeof createForm<Values>>["error"];
  type: Body<"Tool">["implementation_type"];
}) {
  const parameters = createMemo(() => {
    const properties = objectIn(props.values.schema)?.properties;
    return isObject(properties) ? Object.keys(properties) : [];
  });
  return (
    <>
      <Fields>
        <TextArea
          label={t.fields.description}
          hint={t.descriptionHint}
          value={props.values.description}
          onInput={(value) => props.set("description", value)}
          error={props.error("description")}
          rows={3}
        />
        <TagsField
          label={t.fields.tags}
          value={props.values.tags}
          onChange={(value) => props.set("tags", value)}
          error={props.error("tags")}
        />
      </Fields>
      <ParametersEditor
        json={props.values.schema}
        onInput={(json) => props.set("schema", json)}
        error={(path) => props.error(`schema${path}`)}
      />
      <Show
        when={props.type === "http"}
        fallback={
          <TextArea
            label={t.code}
            hint={t.codeHint}
            code
            rows={18}
            value={props.values.implementation_code}
            onInput={(value) => props.set("implementation_code", value)}
            error={props.error("implementation_code")}
            spellcheck={false}
          />
        }
      >
        <RequestEditor
          json={props.values.implementation_config}
          onInput={(json) => props.set("implementation_config", json)}
          parameters={parameters()}
          error={(path) => props.error(`implementation_config${path}`)}
        />
      </Show>
    </>
  );
}
