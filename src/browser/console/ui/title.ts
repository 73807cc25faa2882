import { createEffect, onCleanup } from "solid-js";
import { common } from "../texts/index.ts";

interface Title {
  /** A panel's title goes before that of the screen beside it, whichever of the two loads first. */
  of: "screen" | "panel";
  text: string;
}

/**
 * The titles of what is shown, in the order in which it appeared. This is no signal, because what the cleanup of a
 * screen writes to a signal is lost if the next screen wrote to it as well.
 */
let titles: Title[] = [];

function show(): void {
  const shown = titles.findLast(({ of }) => of === "panel") ?? titles.at(-1);
  if (shown) document.title = `${shown.text} · ${common.product}`;
}

/** Gives the browser's tab this title while the component exists. */
export function useTitle(of: Title["of"], text: () => string): void {
  const title = { of, text: "" };
  createEffect(() => {
    title.text = text();
    if (!titles.includes(title)) titles.push(title);
    show();
  });
  onCleanup(() => {
    titles = titles.filter((each) => each !== title);
    show();
  });
}
