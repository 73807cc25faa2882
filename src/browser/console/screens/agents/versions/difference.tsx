import { For, Show } from "solid-js";
import type { Body } from "../../../api/client.ts";
import { agentVersions as t } from "../../../texts/index.ts";
import { Badge } from "../../../ui/values.tsx";
import { Changes } from "./changes.tsx";
import styles from "./difference.module.css";
import { fieldInWords, valueInWords } from "./field-words.ts";

type Change = Body<"AgentVersionChange">;

const SHORT_CHARS = 80;

export function Difference(props: { changes: Change[] }) {
  return (
    <Show when={props.changes.length > 0} fallback={<p class="muted">{t.same}</p>}>
      <For each={props.changes}>{(change) => <OneChange change={change} />}</For>
    </Show>
  );
}

function OneChange(props: { change: Change }) {
  const before = () => valueInWords(props.change.field, props.change.old);
  const after = () => valueInWords(props.change.field, props.change.new);
  const isShort = () => [before(), after()].every((text) => text.length <= SHORT_CHARS && !text.includes("\n"));
  return (
    <section class="stack-8" aria-label={fieldInWords(props.change.field)}>
      <h3 class={styles.field}>
        {fieldInWords(props.change.field)}
        <Kind change={props.change} />
      </h3>
      <Show when={isShort()} fallback={<Changes before={before()} after={after()} />}>
        <p class={styles.short}>
          <span class="visually-hidden">{t.was} </span>
          <del>{before() || t.none}</del>
          <span aria-hidden="true"> → </span>
          <span class="visually-hidden">{t.becomes} </span>
          <ins>{after() || t.none}</ins>
        </p>
      </Show>
    </section>
  );
}

function Kind(props: { change: Change }) {
  return (
    <Show when={props.change.old !== null} fallback={<Badge tone="ok">{t.added}</Badge>}>
      <Show when={props.change.new === null}>
        <Badge tone="bad">{t.removed}</Badge>
      </Show>
    </Show>
  );
}
