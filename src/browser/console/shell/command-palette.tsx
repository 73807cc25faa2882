import { lazy, Show, Suspense } from "solid-js";
import { areShortcutsShown, isPaletteOpen } from "./palette-state.ts";
import { useShortcuts } from "./shortcuts.ts";

const Palette = lazy(() => import("./palette.tsx"));
const ShortcutsDialog = lazy(() => import("./shortcuts-dialog.tsx"));

export function CommandPalette() {
  useShortcuts();
  return (
    <Suspense>
      <Show when={isPaletteOpen()}>
        <Palette />
      </Show>
      <Show when={areShortcutsShown()}>
        <ShortcutsDialog />
      </Show>
    </Suspense>
  );
}
