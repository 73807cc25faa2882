import { createEffect, on } from "solid-js";
import type { ContactList } from "./contact-list.ts";
import { nextToMend } from "./next-to-mend.ts";

/** The button that sends a list. */
export const UPLOAD_BUTTON_ID = "upload-contacts";
/** The button that mends the row of a line. */
export const mendButtonId = (line: number) => `mend-line-${line}`;

/** Puts the focus on what comes next when a row has been mended, unless it has gone elsewhere by then. */
export function focusNextAfterMending(list: ContactList): void {
  createEffect(
    on(list.check, (found) => {
      const mended = found && list.takeLastMended();
      // The button that was pressed is gone, or goes with the rows as they were.
      const isElsewhere =
        document.activeElement !== document.body && !document.activeElement?.id.startsWith("mend-line-");
      if (mended === undefined || isElsewhere) return;
      const next = nextToMend(found?.rejects ?? [], mended);
      document.getElementById(next === undefined ? UPLOAD_BUTTON_ID : mendButtonId(next))?.focus();
    }),
  );
}
