import { createEffect, Index } from "solid-js";
import { tools } from "../../texts/index.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { GroupFault, TextField } from "../../ui/fields.tsx";
import { Plus, X } from "../../ui/icons.tsx";
import { Grid } from "../../ui/layout.tsx";
import type { Pair } from "./request-fields.ts";
import styles from "./tools.module.css";

const { request: t } = tools;

/** Names with values: headers, query parameters or form fields. */
export function PairsEditor(props: {
  legend: string;
  add: string;
  pairs: Pair[];
  onChange: (pairs: Pair[]) => void;
  /** ID of the datalist with the available references. */
  list: string;
  error: (path: string) => string | undefined;
}) {
  const change = (index: number, changed: Partial<Pair>) =>
    props.onChange(
      props.pairs.map(({ name, value }, other) => (other === index ? { name, value, ...changed } : { name, value })),
    );
  const fault = (index: number) => {
    const name = props.pairs[index]?.name;
    const isTaken = name !== "" && props.pairs.some((pair, other) => other !== index && pair.name === name);
    return isTaken ? t.taken : "";
  };
  return (
    <fieldset class="stack-8">
      <legend class={styles.legend}>{props.legend}</legend>
      <GroupFault label={props.legend} error={props.error("")} />
      <Index each={props.pairs}>
        {(pair, index) => (
          <Grid columns="minmax(0, 2fr) minmax(0, 3fr) 32px" gap={8} align="start">
            <TextField
              labelHidden
              label={`${props.legend}: ${t.pairName}`}
              placeholder={t.pairName}
              code
              value={pair().name}
              onInput={(name) => change(index, { name })}
              error={fault(index) || undefined}
              ref={(input) => createEffect(() => input.setCustomValidity(fault(index)))}
              required
            />
            <TextField
              labelHidden
              label={`${props.legend}: ${t.pairValue}`}
              placeholder={t.pairValue}
              code
              value={pair().value}
              onInput={(value) => change(index, { value })}
              error={props.error(`.${pair().name}`)}
              list={props.list}
              autocomplete="off"
            />
            <IconButton
              icon={X}
              label={t.removePair(pair().name)}
              onClick={() => props.onChange(props.pairs.filter((_, other) => other !== index))}
            />
          </Grid>
        )}
      </Index>
      <div>
        <Button small icon={Plus} onClick={() => props.onChange([...props.pairs, { name: "", value: "" }])}>
          {props.add}
        </Button>
      </div>
    </fieldset>
  );
}
