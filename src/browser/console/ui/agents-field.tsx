import { For, Show } from "solid-js";
import { agentList } from "../api/lists.ts";
import { useQuery } from "../api/use-query.ts";
import styles from "./agents-field.module.css";
import { IconButton } from "./button.tsx";
import { CheckField, GroupFault, SelectField } from "./fields.tsx";
import { X } from "./icons.tsx";

interface Texts {
  onlySome: string;
  hint: string;
  label: string;
  add: string;
  choose: string;
  remove: (name: string) => string;
}

/** Chooses the agents to which something applies: all (null), or only these. */
export function AgentsField(props: {
  texts: Texts;
  value: string[] | null;
  onInput: (value: string[] | null) => void;
  error: string | undefined;
}) {
  const agents = useQuery(agentList);
  const nameOf = (id: string) => agents.data?.find((agent) => agent.id === id)?.name ?? id;
  return (
    <>
      <CheckField
        label={props.texts.onlySome}
        hint={props.texts.hint}
        value={props.value !== null}
        onInput={(isLimited) => props.onInput(isLimited ? [] : null)}
      />
      <Show when={props.value}>
        {(ids) => (
          <div class={styles.agents}>
            <GroupFault label={props.texts.label} error={props.error} />
            <Show when={ids().length > 0}>
              <ul class={styles.chosen} aria-label={props.texts.label}>
                <For each={ids()}>
                  {(id) => (
                    <li>
                      {nameOf(id)}
                      <IconButton
                        small
                        icon={X}
                        label={props.texts.remove(nameOf(id))}
                        onClick={() => props.onInput(ids().filter((other) => other !== id))}
                      />
                    </li>
                  )}
                </For>
              </ul>
            </Show>
            <SelectField
              label={props.texts.add}
              value=""
              options={[
                { value: "", label: props.texts.choose },
                ...(agents.data ?? [])
                  .filter(({ id }) => !ids().includes(id))
                  .map(({ id, name }) => ({ value: id, label: name })),
              ]}
              onInput={(id) => id !== "" && props.onInput([...ids(), id])}
            />
          </div>
        )}
      </Show>
    </>
  );
}
