import { useLocation } from "@solidjs/router";
import { createEffect, createMemo, on } from "solid-js";

/**
 * Has the keyboard, and what is read aloud, begin at the screen that was gone to, and where what had the focus is gone. A
 * row opened beside its list, and a tab, leave the reader where they are.
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
