import { createMemo, Show } from "solid-js";
import type { Body } from "../../api/client.ts";
import { tools as t } from "../../texts/index.ts";
import { Fields, TextArea } from "../../ui/fields.tsx";
import type { Form } from "../../ui/form.ts";
import { TagsField } from "../../ui/tags-field.tsx";
import { ParametersEditor } from "./parameters-editor.tsx";
import { RequestEditor } from "./request-editor.tsx";
import { type Definition, parametersIn } from "./tool-definition.ts";
import { UsageFields } from "./usage-fields.tsx";

export function DefinitionFields(props: {
  form: Pick<Form<Definition>, "values" | "field" | "error">;
  type: Body<"Tool">["implementation_type"];
}) {
  // The form never changes.
  const { values, field, error } = props.form;
  const parameters = createMemo(() => parametersIn(values.schema), undefined, { equals: isSameList });
  return (
    <>
      <Fields>
        <TextArea label={t.fields.description} hint={t.descriptionHint} {...field("description")} rows={3} />
        <TagsField label={t.fields.tags} {...field("tags")} />
      </Fields>
      <ParametersEditor
        json={values.schema}
        onInput={field("schema").onInput}
        error={(path) => error(`schema${path}`)}
      />
      <Show
        when={props.type === "http"}
        fallback={
          <TextArea
            label={t.code}
            hint={t.codeHint}
            code
            rows={18}
            {...field("implementation_code")}
            spellcheck={false}
          />
        }
      >
        <RequestEditor
          json={values.implementation_config}
          onInput={field("implementation_config").onInput}
          parameters={parameters()}
          error={(path) => error(`implementation_config${path}`)}
        />
      </Show>
      <UsageFields form={props.form} parameters={parameters()} />
    </>
  );
}

const isSameList = (a: string[], b: string[]): boolean => JSON.stringify(a) === JSON.stringify(b);
