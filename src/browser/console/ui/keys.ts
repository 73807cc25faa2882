/** Whether keys pressed there are text rather than shortcuts. */
export function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null;
}

/** Whether a dialog is open, whose keys are its own. */
export function isDialogOpen(): boolean {
  return document.querySelector("[role=dialog], [role=alertdialog]") !== null;
}

/** The key that goes with a letter for a command, as this machine's keyboard says it. */
export const COMMAND_KEY = /mac/i.test(navigator.platform) ? "⌘" : "Ctrl";
