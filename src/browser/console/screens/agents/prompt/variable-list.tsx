import { For, Show } from "solid-js";
import { agents } from "../../../texts/index.ts";
import { chosen } from "../../../ui/options.ts";
import { Card } from "../../../ui/page.tsx";
import styles from "./prompt.module.css";
import type { Variable } from "./variables.ts";

const t = agents.variables;

export function VariableList(props: { variables: Variable[] }) {
  return (
    <Card>
      <h2>{t.title}</h2>
      <Show when={props.variables.length > 0} fallback={<p class="muted">{t.none}</p>}>
        <dl class={styles.variables}>
          <For each={props.variables}>
            {(variable) => (
              <div>
                <dt>
                  <code>{`{{${variable.name}}}`}</code>
                </dt>
                <dd class="muted">
                  <What variable={variable} />
                </dd>
              </div>
            )}
          </For>
        </dl>
      </Show>
      <p class="muted">{t.lead}</p>
    </Card>
  );
}

function What(props: { variable: Variable }) {
  const builtIn = () => chosen(t.builtIn, props.variable.name);
  return (
    <>
      <Show when={builtIn()}>{(name) => <span>{t.builtIn[name()]}</span>}</Show>
      <For each={props.variable.defaults}>
        {(text) => <span>{text === "" ? t.emptyDefault : t.defaultIs(text)}</span>}
      </For>
      <Show when={!builtIn() && props.variable.isBare}>
        <span>{t.noDefault}</span>
      </Show>
    </>
  );
}
