import { type JSX, Show } from "solid-js";
import { Failure } from "./feedback.tsx";
import type { createForm } from "./form.ts";
import { Stack } from "./page.tsx";

/** A form that fills a panel, with what is wrong with it as a whole before its fields. */
export function PanelForm(props: {
  form: Pick<ReturnType<typeof createForm>, "submit" | "failure">;
  children: JSX.Element;
}) {
  return (
    <form onSubmit={(event) => void props.form.submit(event)}>
      <Stack>
        <Show when={props.form.failure()}>{(failure) => <Failure error={failure()} />}</Show>
        {props.children}
      </Stack>
    </form>
  );
}
