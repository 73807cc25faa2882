import { createSignal } from "solid-js";

const [isPaletteOpen, setPaletteOpen] = createSignal(false);
const [areShortcutsShown, showShortcuts] = createSignal(false);

/** Whether the search for screens, things and commands is open, and whether the list of shortcuts is. */
export { areShortcutsShown, isPaletteOpen, setPaletteOpen, showShortcuts };

/** Opens the search for screens, things by name, and commands. */
export const openPalette = (): void => {
  setPaletteOpen(true);
};
