import { Index, type JSX, Show } from "solid-js";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Fields } from "../../../ui/fields.tsx";
import { Plus, X } from "../../../ui/icons.tsx";
import styles from "./tests.module.css";

export function RowsEditor<Row>(props: {
  legend: string;
  lead: string;
  rows: Row[];
  onInput: (rows: Row[]) => void;
  blank: () => Row;
  add: string;
  remove: (row: Row, index: number) => string;
  max: number;
  error?: string | undefined;
  none?: string;
  children: (row: () => Row, index: number, change: (changes: Partial<Row>) => void) => JSX.Element;
}) {
  const change = (at: number, changes: Partial<Row>) =>
    props.onInput(props.rows.map((row, i) => (i === at ? Object.assign({}, row, changes) : row)));
  return (
    <Fields legend={props.legend} error={props.error}>
      <p class="muted">{props.lead}</p>
      <Show when={props.rows.length === 0 && props.none}>{(none) => <p class="muted">{none()}</p>}</Show>
      <Index each={props.rows}>
        {(row, i) => (
          <fieldset class={styles.row} aria-label={`${props.legend} ${i + 1}`}>
            <div class="stack-12">{props.children(row, i, (changes) => change(i, changes))}</div>
            <IconButton
              icon={X}
              label={props.remove(row(), i)}
              onClick={() => props.onInput(props.rows.filter((_, at) => at !== i))}
            />
          </fieldset>
        )}
      </Index>
      <Show when={props.rows.length < props.max}>
        <div>
          <Button small icon={Plus} onClick={() => props.onInput([...props.rows, props.blank()])}>
            {props.add}
          </Button>
        </div>
      </Show>
    </Fields>
  );
}
