import { type JSX, Show } from "solid-js";
import type { Operation } from "../api/may.ts";
import { common } from "../texts/index.ts";
import { Button } from "./button.tsx";
import { Fields } from "./fields.tsx";
import type { Form } from "./form.ts";
import { FormProblem } from "./form-problem.tsx";
import { Stack } from "./layout.tsx";
import { FormFooter } from "./page.tsx";
import { ScopedForm } from "./scoped-form.tsx";

type Shown = Pick<Form<object>, "submit" | "failure" | "conflict" | "keepMine" | "takeTheirs" | "busy" | "dirty">;

/** A form that fills a panel, with errors that concern the whole form above its fields. */
export function PanelForm(props: { form: Shown; needs: Operation; children: JSX.Element }) {
  return (
    <ScopedForm needs={props.needs} onSubmit={props.form.submit}>
      <Stack>
        <FormProblem form={props.form} />
        {props.children}
      </Stack>
    </ScopedForm>
  );
}

/** The end of a panel's form: saves a thing once it was changed, a new one always, and deletes what may be deleted. */
export function PanelFooter(props: {
  form: Pick<Shown, "busy" | "dirty">;
  isNew?: boolean;
  /** The words on the button, where they are others than "Save". */
  verb?: string | undefined;
  onDelete?: (() => unknown) | undefined;
}) {
  return (
    <FormFooter>
      <Button kind="primary" type="submit" busy={props.form.busy()} disabled={!props.isNew && !props.form.dirty()}>
        {props.verb ?? common.save}
      </Button>
      <Show when={props.onDelete}>
        {(onDelete) => (
          <Button kind="danger" onClick={() => void onDelete()()}>
            {common.delete}
          </Button>
        )}
      </Show>
    </FormFooter>
  );
}

/** A form of some fields in one column, and the button that sends it. */
export function FieldsForm(props: {
  form: Shown;
  /** What it sends. */
  needs: Operation;
  /** The words on the button. */
  verb: string;
  kind?: "plain" | "primary";
  disabled?: boolean;
  children: JSX.Element;
}) {
  return (
    <ScopedForm needs={props.needs} onSubmit={props.form.submit}>
      <Fields>
        <FormProblem form={props.form} />
        {props.children}
        <div>
          <Button
            kind={props.kind ?? "primary"}
            type="submit"
            busy={props.form.busy()}
            disabled={props.disabled ?? false}
          >
            {props.verb}
          </Button>
        </div>
      </Fields>
    </ScopedForm>
  );
}
