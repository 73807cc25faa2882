import { Match, Switch } from "solid-js";
import { agentTests, common } from "../../../texts/index.ts";
import { NumberField, SelectField, TextField } from "../../../ui/fields.tsx";
import { optionsOf } from "../../../ui/options.ts";
import { DocumentField } from "./document-field.tsx";
import { ObjectField } from "./object-field.tsx";
import { RowsEditor } from "./rows-editor.tsx";
import { type ExpectationValues, NEW_EXPECTATION } from "./test-values.ts";

const t = agentTests.form;
const MAX_EXPECTATIONS = 30;
const MAX_TURNS = 1_000;
const YES_NO = [
  { value: "yes", label: common.yes },
  { value: "no", label: common.no },
];

export function ExpectationsEditor(props: {
  value: ExpectationValues[];
  onInput: (value: ExpectationValues[]) => void;
  /** Returns the error of a field, by its path within the test. */
  error: (path: string) => string | undefined;
  tools: string;
}) {
  return (
    <RowsEditor
      legend={t.expect}
      lead={t.expectLead}
      none={t.expectNothing}
      rows={props.value}
      onInput={props.onInput}
      blank={() => Object.assign({}, NEW_EXPECTATION)}
      add={t.addExpectation}
      remove={(_, i) => t.removeExpectation(i + 1)}
      max={MAX_EXPECTATIONS}
      error={props.error("expect")}
    >
      {(row, i, change) => (
        <>
          <SelectField
            label={t.kind}
            value={row().kind}
            options={optionsOf(agentTests.kinds)}
            onInput={(kind) => change({ kind })}
            error={props.error(`expect.${i}`)}
          />
          <Switch
            fallback={
              <TextField
                label={agentTests.values[row().kind]}
                value={row().text}
                onInput={(text) => change({ text })}
                error={props.error(`expect.${i}.${row().kind}`)}
                required
              />
            }
          >
            <Match when={row().kind === "ended" || row().kind === "transferred"}>
              <SelectField
                label={agentTests.values[row().kind]}
                value={row().is ? "yes" : "no"}
                options={YES_NO}
                onInput={(value) => change({ is: value === "yes" })}
              />
            </Match>
            <Match when={row().kind === "cited"}>
              <DocumentField
                value={row().text}
                onInput={(text) => change({ text })}
                error={props.error(`expect.${i}.cited`) ?? props.error(`expect.${i}.cited.document_id`)}
              />
            </Match>
            <Match when={row().kind === "max_turns"}>
              <NumberField
                label={agentTests.values.max_turns}
                value={row().turns}
                onInput={(turns) => change({ turns })}
                error={props.error(`expect.${i}.max_turns`)}
                min={0}
                max={MAX_TURNS}
                step={1}
                required
              />
            </Match>
            <Match when={row().kind === "tool_called" || row().kind === "tool_not_called"}>
              <TextField
                label={agentTests.values[row().kind]}
                value={row().text}
                onInput={(text) => change({ text })}
                error={props.error(`expect.${i}.${row().kind}`) ?? props.error(`expect.${i}.${row().kind}.name`)}
                list={props.tools}
                autocomplete="off"
                code
                required
              />
              <Switch>
                <Match when={row().kind === "tool_called"}>
                  <ObjectField
                    label={t.arguments}
                    hint={t.argumentsHint}
                    value={row().arguments}
                    onInput={(value) => change({ arguments: value })}
                    error={props.error(`expect.${i}.tool_called.arguments`)}
                  />
                </Match>
              </Switch>
            </Match>
          </Switch>
        </>
      )}
    </RowsEditor>
  );
}
