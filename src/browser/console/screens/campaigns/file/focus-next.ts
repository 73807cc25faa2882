import { createEffect, on } from "solid-js";
import type { ContactList } from "./contact-list.ts";
import { nextToFix } from "./next-to-fix.ts";

/** The button that sends a list. */
export const UPLOAD_BUTTON_ID = "upload-contacts";
/** The button that fixes the row of a line. */
export const fixButtonId = (line: number) => `fix-line-${line}`;

/** Moves the focus to the next thing to do once a row has been fixed, unless the user has moved it meanwhile. */
export function focusNextAfterFix(list: ContactList): void {
  createEffect(
    on(list.check, (found) => {
      const fixed = found && list.takeLastFixed();
      // The button that was pressed is removed with the rows as they were before.
      const isElsewhere =
        document.activeElement !== document.body && !document.activeElement?.id.startsWith("fix-line-");
      if (fixed === undefined || isElsewhere) return;
      const next = nextToFix(found?.rejects ?? [], fixed);
      document.getElementById(next === undefined ? UPLOAD_BUTTON_ID : fixButtonId(next))?.focus();
    }),
  );
}
