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

/** A form that fills a panel. Errors that concern the whole form are shown above its fields. */
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

/** The buttons of a panel's form. A new resource can always be saved, a stored one once it was changed. */
export function PanelFooter(props: {
  form: Pick<Shown, "busy" | "dirty">;
  isNew?: boolean;
  /** The label of the button if it isn't "Save". */
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

/** A form with one column of fields and a button that sends it. */
export function FieldsForm(props: {
  form: Shown;
  needs: Operation;
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
