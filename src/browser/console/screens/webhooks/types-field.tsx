import { For, Show } from "solid-js";
import { useQuery } from "../../api/use-query.ts";
import { webhooks as t } from "../../texts/index.ts";
import { CheckField, Fields } from "../../ui/fields.tsx";
import { EVERYTHING, groupsOf, isImplied, patternOf, withChoice } from "./chosen-types.ts";
import { eventTypeList } from "./queries.ts";
import styles from "./webhooks.module.css";

/** Chooses the events to send: all, all of a group, or single types. */
export function TypesField(props: {
  value: readonly string[];
  onInput: (value: string[]) => void;
  error: string | undefined;
}) {
  const types = useQuery(eventTypeList);
  const choose = (pattern: string, isOn: boolean) => props.onInput(withChoice(props.value, pattern, isOn));
  const isAll = () => props.value.includes(EVERYTHING);
  return (
    <Fields legend={t.form.types} error={props.error}>
      <CheckField label={t.form.everything} value={isAll()} onInput={(isOn) => choose(EVERYTHING, isOn)} />
      <Show when={!isAll()}>
        <For each={groupsOf(types.data?.map(({ type }) => type) ?? [])}>
          {([group, members]) => (
            <div class="stack-8">
              <Show when={members.length > 1}>
                <CheckField
                  label={t.form.group(group)}
                  value={props.value.includes(patternOf(group))}
                  onInput={(isOn) => choose(patternOf(group), isOn)}
                />
              </Show>
              <div class={members.length > 1 ? styles.members : undefined}>
                <For each={members}>
                  {(type) => (
                    <CheckField
                      code
                      label={type}
                      value={props.value.includes(type) || isImplied(props.value, type)}
                      disabled={isImplied(props.value, type)}
                      onInput={(isOn) => choose(type, isOn)}
                    />
                  )}
                </For>
              </div>
            </div>
          )}
        </For>
      </Show>
    </Fields>
  );
}
