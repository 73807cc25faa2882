import { TagsInput } from "@ark-ui/solid/tags-input";
import { createUniqueId, For, Show } from "solid-js";
import { common } from "../texts/index.ts";
import { More } from "./field.tsx";
import fields from "./fields.module.css";
import { X } from "./icons.tsx";
import { Row } from "./layout.tsx";
import styles from "./tags-field.module.css";

/** A field for several words or phrases. Enter adds one, and its cross removes it. */
export function TagsField(props: {
  label: string;
  value: readonly string[];
  onInput: (value: string[]) => void;
  hint?: string;
  error?: string | undefined;
  /** Values offered while typing. */
  suggestions?: readonly string[];
  /** Phrases may contain commas; words are separated by them. */
  phrases?: boolean;
}) {
  const id = createUniqueId();
  return (
    <TagsInput.Root
      class={fields.field}
      value={[...props.value]}
      onValueChange={({ value }) => props.onInput(value)}
      blurBehavior="add"
      addOnPaste={!props.phrases}
      delimiter={props.phrases ? "\n" : ","}
      invalid={props.error !== undefined}
    >
      <TagsInput.Label class={fields.label}>{props.label}</TagsInput.Label>
      <TagsInput.Control class={`${fields.control} ${styles.control}`}>
        <For each={props.value}>
          {(value, index) => (
            <TagsInput.Item index={index()} value={value}>
              <TagsInput.ItemPreview class={styles.tag}>
                <TagsInput.ItemText dir="auto">{value}</TagsInput.ItemText>
                <TagsInput.ItemDeleteTrigger class={styles.remove} aria-label={common.remove(value)}>
                  <X size={12} />
                </TagsInput.ItemDeleteTrigger>
              </TagsInput.ItemPreview>
              <TagsInput.ItemInput class={styles.input} />
            </TagsInput.Item>
          )}
        </For>
        <TagsInput.Input
          class={styles.input}
          placeholder={common.addWithEnter}
          list={props.suggestions ? id : undefined}
          aria-describedby={props.error || props.hint ? `${id}-more` : undefined}
        />
        <Show when={props.suggestions}>
          {(suggestions) => (
            <datalist id={id}>
              <For each={suggestions().filter((each) => !props.value.includes(each))}>
                {(suggestion) => <option value={suggestion} />}
              </For>
            </datalist>
          )}
        </Show>
      </TagsInput.Control>
      <Show when={props.error || props.hint}>
        <More id={`${id}-more`} label={props.label} hint={props.hint} error={props.error} />
      </Show>
    </TagsInput.Root>
  );
}

export function Tags(props: { of: readonly string[] }) {
  return (
    <Row as="ul" gap={4}>
      <For each={props.of}>{(tag) => <li class={styles.tag}>{tag}</li>}</For>
    </Row>
  );
}
