import { createSignal } from "solid-js";

const [isPaletteOpen, setPaletteOpen] = createSignal(false);
const [areShortcutsShown, showShortcuts] = createSignal(false);

/** Whether the command palette is open, and whether the list of shortcuts is. */
export { areShortcutsShown, isPaletteOpen, setPaletteOpen, showShortcuts };

export const openPalette = (): void => {
  setPaletteOpen(true);
};
