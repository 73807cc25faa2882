import { createSignal, For, onMount, Show } from "solid-js";
import { formatExact } from "../texts/format.ts";
import { common } from "../texts/index.ts";
import { Button } from "./button.tsx";
import { Failure } from "./feedback.tsx";
import type { Form } from "./form.ts";
import styles from "./form-problem.module.css";
import type { Clash } from "./three-way.ts";

type Problem = Pick<Form<object>, "failure" | "conflict" | "keepMine" | "takeTheirs" | "busy">;

/**
 * The error of a form as a whole. If someone else has saved the same fields meanwhile, it names them and shows both
 * values to choose from.
 */
export function FormProblem(props: { form: Problem }) {
  return (
    <>
      <Show when={props.form.failure()}>{(failure) => <Failure error={failure()} />}</Show>
      <Show when={props.form.conflict()}>
        {(conflict) => (
          <section class={styles.conflict} role="alert" aria-label={common.conflict.title}>
            <strong>
              {common.conflict.by(conflict().by ?? common.conflict.somebody)}
              <Show when={conflict().at}>{(at) => <> {common.conflict.at(formatExact(at()))}</>}</Show>
            </strong>
            <p>{common.conflict.lead}</p>
            <For each={conflict().clashes}>{(clash) => <Sides clash={clash} />}</For>
            <div class="row">
              <Button kind="primary" busy={props.form.busy()} onClick={() => void props.form.keepMine()}>
                {common.conflict.keepMine}
              </Button>
              <Button onClick={() => props.form.takeTheirs()}>{common.conflict.takeTheirs}</Button>
            </div>
          </section>
        )}
      </Show>
    </>
  );
}

/** Both values of a field, side by side. */
function Sides(props: { clash: Clash }) {
  let sides: HTMLDivElement | undefined;
  const [label, setLabel] = createSignal<string>();
  onMount(() => setLabel(sides && labelOf(sides, props.clash.path)));
  const shown = (value: unknown) => (props.clash.isSecret ? common.conflict.hidden : textOf(value));
  return (
    <div ref={sides} class={styles.sides}>
      <h3>{label() ?? nameOf(props.clash.path)}</h3>
      <figure>
        <figcaption>{common.conflict.theirs}</figcaption>
        <pre>{shown(props.clash.theirs)}</pre>
      </figure>
      <figure>
        <figcaption>{common.conflict.mine}</figcaption>
        <pre>{shown(props.clash.mine)}</pre>
      </figure>
    </div>
  );
}

/** Returns the label of the field in the surrounding form; undefined if the form has no such field. */
function labelOf(within: HTMLElement, path: string): string | undefined {
  const [name = "", ...rest] = path.split(".");
  const label = within.closest("form")?.querySelector(`[data-field="${CSS.escape(name)}"] label`)?.textContent;
  return label ? [label, ...rest].join(" › ") : undefined;
}

/** Returns the label for a name: `greeting_message` → `Greeting message`. */
function nameOf(path: string): string {
  const words = path.replaceAll("_", " ").replaceAll(".", " › ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === "") return common.conflict.empty;
  if (typeof value === "boolean") return value ? common.yes : common.no;
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
