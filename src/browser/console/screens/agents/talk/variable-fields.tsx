import { For, Show } from "solid-js";
import { agents, talk as t } from "../../../texts/index.ts";
import { TextField } from "../../../ui/fields.tsx";
import { chosen } from "../../../ui/options.ts";
import { Card } from "../../../ui/page.tsx";
import type { Variable } from "../prompt/variables.ts";

/** Values for the variables in the agent's texts that a call would provide. */
export function VariableFields(props: {
  variables: Variable[];
  values: Record<string, string>;
  set: (name: string, value: string) => void;
  isUnderWay: boolean;
}) {
  const defaultOf = (name: string) =>
    props.variables.find((variable) => variable.name === name)?.defaults.find((text) => text !== "") ?? "";
  const fields = () => props.variables.filter(({ name }) => !chosen(agents.variables.builtIn, name));
  return (
    <Show when={fields().length > 0}>
      <Card>
        <h2>{t.variables}</h2>
        <p class="muted">{props.isUnderWay ? t.variablesLater : t.variablesLead}</p>
        <For each={fields().map(({ name }) => name)}>
          {(name) => (
            <TextField
              label={name}
              value={props.values[name] ?? ""}
              placeholder={defaultOf(name)}
              onInput={(value) => props.set(name, value)}
            />
          )}
        </For>
      </Card>
    </Show>
  );
}
