import { Show } from "solid-js";
import { authority, missingScope, type Operation } from "../api/may.ts";
import { access as t } from "../texts/index.ts";
import { Note } from "./feedback.tsx";
import { Page } from "./page.tsx";

/** Returns the name of the user's role. */
export const ownRole = (): string => {
  const role = authority()?.role;
  return role === undefined ? "" : t.roles[role];
};

/** Shown instead of a screen that the user may not open. It says why, and who can change that. */
export function NotAllowed(props: { operation: Operation }) {
  return (
    <Page title={t.notAllowedTitle}>
      <Show when={missingScope(props.operation)}>
        {(scope) => <Note tone="warn">{t.notAllowed(ownRole(), scope())}</Note>}
      </Show>
    </Page>
  );
}

/** Placeholder for content that the user's role doesn't include. */
export function Hidden(props: { contacts?: boolean; short?: boolean }) {
  const why = () => (props.contacts ? t.hiddenContacts : t.hidden);
  return (
    <span class="muted" title={props.short ? why() : undefined}>
      {props.short ? t.hiddenShort : why()}
    </span>
  );
}
