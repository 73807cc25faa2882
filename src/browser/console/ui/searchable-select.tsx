import { Combobox, createListCollection } from "@ark-ui/solid/combobox";
import { createMemo, createSignal, For, Show } from "solid-js";
import { formatNumber } from "../texts/format.ts";
import { common } from "../texts/index.ts";
import { Field, type Option, type SelectProps } from "./field.tsx";
import fields from "./fields.module.css";
import { ChevronDown } from "./icons.tsx";
import { matching } from "./matching.ts";
import styles from "./searchable-select.module.css";

/** Maximum number of options listed at once; typing finds the others. */
const MAX_LISTED = 100;

/** A select field with many options, found by typing part of the name. */
export default function SearchableSelect(props: SelectProps & { options: Option[] }) {
  const [typed, setTyped] = createSignal<string>();
  const selected = () => props.options.find(({ value }) => value === props.value);
  const found = createMemo(() => matching(props.options, typed() ?? ""));
  const listed = createMemo(() => {
    const first = found().slice(0, MAX_LISTED);
    const current = selected();
    return current && typed() === undefined && !first.includes(current) ? [current, ...first] : first;
  });
  const collection = createMemo(() =>
    createListCollection<Option>({
      items: listed(),
      itemToString: ({ label }) => label,
      itemToValue: ({ value }) => value,
      isItemDisabled: ({ disabled }) => disabled === true,
    }),
  );
  const left = () => found().length - MAX_LISTED;
  return (
    <Field
      label={props.label}
      hint={props.hint}
      error={props.error}
      labelHidden={props.labelHidden ?? false}
      data-field={props["data-field"]}
    >
      {(control) => (
        <Combobox.Root
          class={styles.root}
          ids={{ input: control.id }}
          collection={collection()}
          value={[props.value]}
          inputValue={typed() ?? selected()?.label ?? ""}
          onInputValueChange={({ inputValue, reason }) => reason === "input-change" && setTyped(inputValue)}
          onOpenChange={({ open }) => !open && setTyped(undefined)}
          onValueChange={({ value: [value] }) => value !== undefined && props.onInput(value)}
          disabled={props.disabled ?? false}
          invalid={props.error !== undefined}
          inputBehavior="autohighlight"
          openOnClick
          positioning={{ strategy: "fixed", sameWidth: true, gutter: 4 }}
          lazyMount
          unmountOnExit
        >
          <Combobox.Control class={styles.control}>
            <Combobox.Input
              class={`${fields.control} ${styles.input}`}
              aria-describedby={control["aria-describedby"]}
              aria-invalid={control["aria-invalid"]}
              onFocus={(event) => event.currentTarget.select()}
            />
            <Combobox.Trigger class={styles.trigger} tabindex="-1" aria-label={common.showOptions}>
              <ChevronDown size={16} />
            </Combobox.Trigger>
          </Combobox.Control>
          <Combobox.Positioner class={styles.positioner}>
            <div class={styles.popup}>
              <Combobox.Content class={styles.list}>
                <For each={listed()}>
                  {(option) => (
                    <Combobox.Item item={option} class={styles.item}>
                      <Combobox.ItemText>{option.label}</Combobox.ItemText>
                    </Combobox.Item>
                  )}
                </For>
              </Combobox.Content>
              <div role="status">
                <Show when={listed().length === 0}>
                  <p class={styles.more}>{common.noOption}</p>
                </Show>
                <Show when={left() > 0}>
                  <p class={styles.more}>{common.moreOptions(formatNumber(left()))}</p>
                </Show>
              </div>
            </div>
          </Combobox.Positioner>
        </Combobox.Root>
      )}
    </Field>
  );
}
