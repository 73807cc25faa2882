import { useLocation } from "@solidjs/router";
import { createEffect, on } from "solid-js";

/**
 * Has the keyboard, and what is read aloud, begin at the screen that was gone to; a row opened beside its list leaves
 * the reader where they are.
 */
export function followScreen(content: () => HTMLElement | undefined): void {
  const location = useLocation();
  const screen = () => location.pathname.split("/")[2] ?? "";
  createEffect(on(screen, () => content()?.focus({ preventScroll: true }), { defer: true }));
}
