import { For, Show } from "solid-js";
import { formatNumber } from "../../texts/format.ts";
import { accounts as t } from "../../texts/index.ts";
import { IconButton } from "../../ui/button.tsx";
import { NumberField } from "../../ui/fields.tsx";
import { RotateCcw } from "../../ui/icons.tsx";
import { namesOf } from "../../ui/names-of.ts";
import styles from "./override-table.module.css";
import type { Cap, Overrides, Quota } from "./overrides.ts";

export function OverrideTable<Name extends Cap | Quota>(props: {
  label: string;
  plan: Record<Name, number> | undefined;
  overrides: Overrides<Name>;
  onChange: (name: Name, value: number | null) => void;
  error: (name: Name) => string | undefined;
}) {
  const ofPlan = (name: Name) => (props.plan ? formatNumber(props.plan[name]) : "…");
  return (
    <table class={styles.table}>
      <caption>{props.label}</caption>
      <thead>
        <tr>
          <th scope="col">{t.limit}</th>
          <th scope="col">{t.ofPlan}</th>
          <th scope="col">{t.override}</th>
        </tr>
      </thead>
      <tbody>
        <For each={namesOf(props.overrides)}>
          {(name) => (
            <tr data-overridden={props.overrides[name] !== null}>
              <th scope="row">{t.names[name]}</th>
              <td class={`numbers ${styles.plan}`}>{ofPlan(name)}</td>
              <td>
                <div class={styles.override}>
                  <NumberField
                    label={t.overrideOf(t.names[name])}
                    labelHidden
                    min={0}
                    placeholder={t.asPlan}
                    value={props.overrides[name] ?? undefined}
                    onInput={(value) => props.onChange(name, value ?? null)}
                    error={props.error(name)}
                  />
                  <Show when={props.overrides[name] !== null}>
                    <IconButton
                      icon={RotateCcw}
                      label={t.fallBack(t.names[name])}
                      onClick={() => props.onChange(name, null)}
                    />
                  </Show>
                </div>
              </td>
            </tr>
          )}
        </For>
      </tbody>
    </table>
  );
}
