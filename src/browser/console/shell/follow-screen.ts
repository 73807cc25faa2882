import { useLocation } from "@solidjs/router";
import { createEffect, createMemo, on } from "solid-js";

/**
 * Moves the focus to the screen after navigation, and when the focused element was removed. Opening a row beside its
 * list or a tab doesn't move it.
 */
export function followScreen(content: () => HTMLElement | undefined): void {
  const location = useLocation();
  const screen = createMemo(() => location.pathname.split("/")[2] ?? "");
  const begin = () => content()?.focus({ preventScroll: true });
  createEffect(on(screen, begin, { defer: true }));
  createEffect(
    on(
      () => location.pathname,
      () => document.activeElement === document.body && begin(),
      { defer: true },
    ),
  );
}
