import { Index, Show } from "solid-js";
import type { Body } from "../../../api/client.ts";
import { agents as t } from "../../../texts/index.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { CheckField, Fields, TextField } from "../../../ui/fields.tsx";
import { Plus, X } from "../../../ui/icons.tsx";
import styles from "./settings.module.css";

type Target = Body<"TransferTarget">;

const MAX_TARGETS = 20;

/** The numbers the agent may transfer callers to, one per row. */
export function TransferTargets(props: {
  value: Target[];
  onInput: (value: Target[]) => void;
  lead: string;
  error: (path: string) => string | undefined;
}) {
  const change = (index: number, changes: Partial<Target>) =>
    props.onInput(props.value.map((target, i) => (i === index ? Object.assign({}, target, changes) : target)));
  /** Only one target can take the calls that no model can answer. */
  const mark = (index: number, isMarked: boolean) =>
    props.onInput(
      props.value.map(({ label, number }, i) =>
        i === index && isMarked ? { label, number, on_failure: true } : { label, number },
      ),
    );
  return (
    <Fields legend={t.transfer.title} error={props.error("transfer_targets")}>
      <p class="muted">{props.lead}</p>
      <Index each={props.value}>
        {(target, i) => (
          <div class={styles.target}>
            <TextField
              label={t.transfer.label}
              value={target().label}
              onInput={(label) => change(i, { label })}
              error={props.error(`transfer_targets.${i}.label`)}
              placeholder={t.transfer.labelSample}
              maxlength={80}
              required
            />
            <TextField
              label={t.transfer.number}
              value={target().number}
              onInput={(number) => change(i, { number })}
              error={props.error(`transfer_targets.${i}.number`)}
              type="tel"
              placeholder="+1 202 555 0177"
              required
            />
            <IconButton
              icon={X}
              label={t.transfer.remove(target().label)}
              onClick={() => props.onInput(props.value.filter((_, at) => at !== i))}
            />
            <div class={styles.wide}>
              <CheckField
                label={t.transfer.onFailure}
                value={target().on_failure ?? false}
                onInput={(isMarked) => mark(i, isMarked)}
                error={props.error(`transfer_targets.${i}.on_failure`)}
              />
            </div>
          </div>
        )}
      </Index>
      <Show when={props.value.length < MAX_TARGETS}>
        <div>
          <Button small icon={Plus} onClick={() => props.onInput([...props.value, { label: "", number: "" }])}>
            {t.transfer.add}
          </Button>
        </div>
      </Show>
    </Fields>
  );
}
