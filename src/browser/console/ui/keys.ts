/** Checks whether keys pressed in this target are text rather than shortcuts. */
export function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null;
}

/** Checks whether a dialog is open, which handles its own keys. */
export function isDialogOpen(): boolean {
  return document.querySelector("[role=dialog], [role=alertdialog]") !== null;
}

/** The modifier key for commands on this machine. */
export const COMMAND_KEY = /mac/i.test(navigator.platform) ? "⌘" : "Ctrl";
