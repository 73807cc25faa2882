import { type JSX, Show } from "solid-js";
import { may, missingScope, type Operation } from "../api/may.ts";
import { access as t } from "../texts/index.ts";
import { Note } from "./feedback.tsx";
import { ownRole } from "./not-allowed.tsx";
import styles from "./read-only.module.css";
import { ReadOnlyUnless } from "./read-only.tsx";

/** A form that sends an operation. Users who may not use it see the values and why they can't change them. */
export function ScopedForm(props: {
  needs: Operation;
  onSubmit: (event: SubmitEvent & { currentTarget: HTMLFormElement }) => unknown;
  class?: string | undefined;
  id?: string | undefined;
  children: JSX.Element;
}) {
  return (
    <form noValidate id={props.id} class={props.class} onSubmit={(event) => void props.onSubmit(event)}>
      <Show when={missingScope(props.needs)}>
        {(scope) => (
          // Focusable, so that the keyboard can scroll: no other element here can have the focus.
          <div role="note" tabindex="0" class={props.class === undefined ? styles.apart : undefined}>
            <Note>{t.readOnly(ownRole(), scope())}</Note>
          </div>
        )}
      </Show>
      <ReadOnlyUnless may={may(props.needs)}>{props.children}</ReadOnlyUnless>
    </form>
  );
}
