import { createUniqueId, For, Show } from "solid-js";
import { BUILT_IN_TOOLS } from "../../../api/built-in-tools.ts";
import { agentTests } from "../../../texts/index.ts";
import { CheckField, NumberField, TextArea, TextField } from "../../../ui/fields.tsx";
import type { Form } from "../../../ui/form.ts";
import { JsonField } from "../../../ui/json-field.tsx";
import { Grid } from "../../../ui/layout.tsx";
import { useAgent } from "../agent-context.ts";
import { ExpectationsEditor } from "./expectations-editor.tsx";
import { ObjectField } from "./object-field.tsx";
import { RowsEditor } from "./rows-editor.tsx";
import type { TestValues } from "./test-values.ts";

const t = agentTests.form;
const MAX_REPEAT = 10;
const MAX_STEPS = 30;
const MAX_STEP_CHARS = 4_000;
const MAX_VARIABLES = 64;
const MAX_MOCKS = 50;

export function TestFields(props: { form: Form<TestValues> }) {
  const agent = useAgent();
  const tools = createUniqueId();
  // The form never changes.
  const { field, error, values } = props.form;
  const names = () => [...new Set([...agent().tools.map(({ tool_name }) => tool_name), ...BUILT_IN_TOOLS])];
  /** If all repetitions had to pass before the change, they still must. */
  const repeatAs = (repeat: number | undefined) => {
    const { repeat: before, minPasses } = values;
    field("repeat").onInput(repeat);
    const isAll = minPasses === undefined || minPasses === before;
    if (repeat !== undefined && (isAll || minPasses > repeat)) field("minPasses").onInput(repeat);
  };
  const steps = () => values.steps.map((says) => ({ says }));
  return (
    <>
      <datalist id={tools}>
        <For each={names()}>{(name) => <option value={name} />}</For>
      </datalist>
      <TextField label={t.name} placeholder={t.namePlaceholder} {...field("name")} maxlength={200} required />
      <RowsEditor
        legend={t.steps}
        lead={t.stepsLead}
        rows={steps()}
        onInput={(rows) => field("steps").onInput(rows.map(({ says }) => says))}
        blank={() => ({ says: "" })}
        add={t.addStep}
        remove={(_, i) => t.removeStep(i + 1)}
        max={MAX_STEPS}
        error={error("steps")}
      >
        {(row, i, change) => (
          <TextArea
            label={t.step(i + 1)}
            labelHidden
            placeholder={i === 0 ? t.stepSample : undefined}
            value={row().says}
            onInput={(says) => change({ says })}
            error={error(`steps.${i}.says`)}
            maxlength={MAX_STEP_CHARS}
            rows={1}
            required
          />
        )}
      </RowsEditor>
      <ExpectationsEditor {...field("expect")} error={error} tools={tools} />
      <RowsEditor
        legend={t.mocks}
        lead={t.mocksLead}
        rows={values.mocks}
        onInput={field("mocks").onInput}
        blank={() => ({ tool: "", when: "", result: "" })}
        add={t.addMock}
        remove={({ tool }) => t.removeMock(tool)}
        max={MAX_MOCKS}
        error={error("tool_mocks")}
      >
        {(row, i, change) => (
          <>
            <TextField
              label={t.tool}
              value={row().tool}
              onInput={(tool) => change({ tool })}
              error={error(`tool_mocks.${i}.tool`)}
              list={tools}
              autocomplete="off"
              code
              required
            />
            <ObjectField
              label={t.when}
              hint={t.whenHint}
              value={row().when}
              onInput={(when) => change({ when })}
              error={error(`tool_mocks.${i}.when`)}
            />
            <JsonField
              label={t.result}
              hint={t.resultHint}
              value={row().result}
              onInput={(result) => change({ result })}
              error={error(`tool_mocks.${i}.result`)}
              rows={3}
              required
            />
          </>
        )}
      </RowsEditor>
      <RowsEditor
        legend={t.variables}
        lead={t.variablesLead}
        rows={values.variables}
        onInput={field("variables").onInput}
        blank={() => ({ name: "", value: "" })}
        add={t.addVariable}
        remove={({ name }) => t.removeVariable(name)}
        max={MAX_VARIABLES}
        error={error("variables")}
      >
        {(row, _, change) => (
          <Grid columns="minmax(0, 1fr) minmax(0, 1fr)" gap={8}>
            <TextField label={t.variable} value={row().name} onInput={(name) => change({ name })} code required />
            <TextField
              label={t.value}
              value={row().value}
              onInput={(value) => change({ value })}
              error={error(`variables.${row().name}`)}
            />
          </Grid>
        )}
      </RowsEditor>
      <NumberField
        label={t.repeat}
        hint={t.repeatHint}
        value={values.repeat}
        onInput={repeatAs}
        error={error("repeat")}
        min={1}
        max={MAX_REPEAT}
        step={1}
        required
      />
      <Show when={(values.repeat ?? 1) > 1}>
        <NumberField
          label={t.minPasses}
          hint={t.minPassesHint}
          {...field("minPasses")}
          error={error("min_passes")}
          min={1}
          max={values.repeat ?? MAX_REPEAT}
          step={1}
          required
        />
      </Show>
      <CheckField
        label={t.required}
        hint={agent().versioning === "manual" ? t.requiredHint : t.requiredAuto}
        {...field("required")}
      />
    </>
  );
}
