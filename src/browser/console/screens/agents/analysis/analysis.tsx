import { Show } from "solid-js";
import { api, type Body, data } from "../../../api/client.ts";
import { storedBy } from "../../../api/use-query.ts";
import { common, analysis as texts } from "../../../texts/index.ts";
import { changesOf } from "../../../ui/changes.ts";
import { CheckField, Fields, SelectField, TextArea, TextField } from "../../../ui/fields.tsx";
import { createForm, type Form } from "../../../ui/form.ts";
import { FormProblem } from "../../../ui/form-problem.tsx";
import { ModelField } from "../../../ui/model-field.tsx";
import { optionsOf } from "../../../ui/options.ts";
import { SaveBar } from "../../../ui/save-bar.tsx";
import { ScopedForm } from "../../../ui/scoped-form.tsx";
import { TagsField } from "../../../ui/tags-field.tsx";
import { notify } from "../../../ui/toast.tsx";
import { useAgent } from "../agent-context.ts";
import { agentById, agentChanged } from "../queries.ts";
import { RowsEditor } from "../tests/rows-editor.tsx";

const t = texts.form;
type Settings = Body<"AnalysisSettings">;
type Value = Settings["data"][number];

const MAX_CRITERIA = 20;
const MAX_DATA = 30;
const MAX_NAME_CHARS = 63;
const MAX_WORDS_CHARS = 1_000;
/** Pattern of the names that the service accepts, so that the browser checks them before sending. */
const NAME = "[a-z][a-z0-9_]*";

export default function AnalysisSettings() {
  const agent = useAgent();
  const { id } = agent();
  const analysisOf = ({ analysis }: Body<"Agent">): Settings => analysis;
  const form = createForm<Settings>({
    initial: analysisOf(agent()),
    stored: storedBy(agent(), agentById(id), analysisOf),
    save: async (values, before, headers) => {
      const body = { analysis: changesOf(before, sent(values)) };
      const changed = await data(api.PATCH("/api/v1/agents/{id}", { params: { path: { id } }, body, headers }));
      await agentChanged(changed);
      notify(common.saved);
      return changed;
    },
  });
  /** The service names a field by its full path within the agent. */
  const error = (path: string) => form.error(`analysis.${path}`);
  return (
    <ScopedForm needs="updateAgent" onSubmit={form.submit} class="stack">
      <FormProblem form={form} />
      <p class="muted">{t.lead}</p>
      <CheckField label={t.enabled} hint={t.enabledHint} {...form.field("enabled")} />
      <Show when={form.values.enabled}>
        <Fields>
          <ModelField
            label={t.model}
            hint={t.modelHint}
            none={t.modelOwn}
            value={form.values.model}
            onInput={(value) => form.set("model", value)}
            error={error("model")}
          />
          <CheckField label={t.summary} hint={t.summaryHint} {...form.field("summary")} />
        </Fields>
        <RowsEditor
          legend={t.criteria}
          lead={t.criteriaLead}
          none={t.noCriteria}
          rows={form.values.criteria}
          onInput={form.field("criteria").onInput}
          blank={() => ({ name: "", instruction: "" })}
          add={t.addCriterion}
          remove={({ name }) => t.remove(name)}
          max={MAX_CRITERIA}
          error={error("criteria")}
        >
          {(row, i, change) => (
            <>
              <Name
                value={row().name}
                onInput={(name) => change({ name })}
                sample={t.criterionSample}
                error={error(`criteria.${i}.name`)}
              />
              <TextArea
                label={t.instruction}
                placeholder={t.instructionSample}
                value={row().instruction}
                onInput={(instruction) => change({ instruction })}
                error={error(`criteria.${i}.instruction`)}
                maxlength={MAX_WORDS_CHARS}
                rows={2}
                required
              />
            </>
          )}
        </RowsEditor>
        <ValuesEditor form={form} error={error} />
      </Show>
      <SaveBar form={form} />
    </ScopedForm>
  );
}

function ValuesEditor(props: { form: Form<Settings>; error: (path: string) => string | undefined }) {
  return (
    <RowsEditor<Value>
      legend={t.data}
      lead={t.dataLead}
      none={t.noData}
      rows={props.form.values.data}
      onInput={props.form.field("data").onInput}
      blank={() => ({ name: "", type: "text", description: "" })}
      add={t.addValue}
      remove={({ name }) => t.remove(name)}
      max={MAX_DATA}
      error={props.error("data")}
    >
      {(row, i, change) => (
        <>
          <Name
            value={row().name}
            onInput={(name) => change({ name })}
            sample={t.valueSample}
            error={props.error(`data.${i}.name`)}
          />
          <SelectField
            label={t.type}
            value={row().type}
            options={optionsOf(t.types)}
            onInput={(type) => change({ type })}
            error={props.error(`data.${i}.type`)}
          />
          <TextArea
            label={t.description}
            placeholder={t.descriptionSample}
            value={row().description}
            onInput={(description) => change({ description })}
            error={props.error(`data.${i}.description`)}
            maxlength={MAX_WORDS_CHARS}
            rows={2}
            required
          />
          <Show when={row().type === "choice"}>
            <TagsField
              label={t.choices}
              hint={t.choicesHint}
              value={row().choices ?? []}
              onInput={(choices) => change({ choices })}
              error={props.error(`data.${i}.choices`)}
              phrases
            />
          </Show>
        </>
      )}
    </RowsEditor>
  );
}

function Name(props: { value: string; onInput: (name: string) => void; sample: string; error: string | undefined }) {
  return (
    <TextField
      label={t.name}
      hint={t.nameHint}
      placeholder={props.sample}
      value={props.value}
      onInput={props.onInput}
      error={props.error}
      maxlength={MAX_NAME_CHARS}
      pattern={NAME}
      title={t.nameHint}
      code
      required
    />
  );
}

/** Returns the settings as the service accepts them: only the type `choice` has a list of choices. */
function sent(settings: Settings): Settings {
  const data = settings.data.map(({ name, type, description, choices }) =>
    type === "choice" ? { name, type, description, choices: choices ?? [] } : { name, type, description },
  );
  return Object.assign({}, settings, { data });
}
