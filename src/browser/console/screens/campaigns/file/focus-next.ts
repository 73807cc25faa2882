import { createEffect, on } from "solid-js";
import type { ContactList } from "./contact-list.ts";
import { nextToFix } from "./next-to-fix.ts";

export const UPLOAD_BUTTON_ID = "upload-contacts";
export const fixButtonId = (line: number) => `fix-line-${line}`;

/** Moves the focus to the next step once a row has been fixed, unless the user has moved it meanwhile. */
export function focusNextAfterFix(list: ContactList): void {
  createEffect(
    on(list.check, (found) => {
      const fixed = found && list.takeLastFixed();
      // The pressed button is removed together with the previous rows.
      const isElsewhere =
        document.activeElement !== document.body && !document.activeElement?.id.startsWith("fix-line-");
      if (fixed === undefined || isElsewhere) return;
      const next = nextToFix(found?.rejects ?? [], fixed);
      document.getElementById(next === undefined ? UPLOAD_BUTTON_ID : fixButtonId(next))?.focus();
    }),
  );
}
