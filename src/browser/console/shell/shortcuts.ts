import { useNavigate } from "@solidjs/router";
import { onCleanup, onMount } from "solid-js";
import { mayOpen } from "../api/addresses.ts";
import { isOperator } from "../session/session.ts";
import { isDialogOpen, isWriting } from "../ui/keys.ts";
import { openPalette, showShortcuts } from "./palette-state.ts";

/** The key that opens a screen after G, by the screen's address. One is a digit, because all letters are taken. */
const ACCOUNT_LETTERS: Record<string, string> = {
  "/": "o",
  "/campaigns": "c",
  "/conversations": "v",
  "/calls": "l",
  "/recordings": "r",
  "/agents": "a",
  "/marketplace": "m",
  "/tools": "t",
  "/playbooks": "p",
  "/faqs": "f",
  "/numbers": "n",
  "/carriers": "e",
  "/integrations": "i",
  "/widget-keys": "w",
  "/api-keys": "k",
  "/webhooks": "1",
  "/do-not-call": "d",
  "/call-settings": "s",
  "/privacy": "x",
  "/usage": "h",
  "/prices": "z",
  "/budgets": "b",
  "/limits": "q",
  "/audit-log": "u",
  "/account": "2",
  "/members": "j",
  "/sign-in-policy": "g",
  "/profile": "y",
};
const OPERATOR_LETTERS: Record<string, string> = {
  "/accounts": "a",
  "/operator-audit-log": "u",
  "/service": "s",
  "/profile": "y",
};

/** Maximum time between G and the next key, ms. */
const SEQUENCE_MS = 1_500;

/** Returns the key that opens a screen after G; undefined if there is none. */
export const letterOf = (href: string): string | undefined => (isOperator() ? OPERATOR_LETTERS : ACCOUNT_LETTERS)[href];

/**
 * Handles the global shortcuts: Ctrl K and / for the palette, ? for the shortcuts, G for screens, N for a new resource.
 */
export function useShortcuts(): void {
  const navigate = useNavigate();
  let goingSince = Number.NEGATIVE_INFINITY;

  const key = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      openPalette();
      return;
    }
    if (event.metaKey || event.ctrlKey || event.altKey || isWriting(event.target) || isDialogOpen()) return;
    const isGoing = event.timeStamp - goingSince < SEQUENCE_MS;
    goingSince = Number.NEGATIVE_INFINITY;
    const act = isGoing ? goTo(event.key) : ACTS[event.key];
    if (!act) return;
    // A key of a sequence must not trigger anything else.
    event.preventDefault();
    event.stopImmediatePropagation();
    act();
  };
  const ACTS: Partial<Record<string, () => void>> = {
    "/": openPalette,
    "?": () => showShortcuts(true),
    g: () => {
      goingSince = performance.now();
    },
    n: pressNew,
  };
  const goTo = (letter: string) => {
    const letters = isOperator() ? OPERATOR_LETTERS : ACCOUNT_LETTERS;
    const [href] = Object.entries(letters).find((entry) => entry[1] === letter) ?? [];
    return href === undefined || !mayOpen(href) ? undefined : () => navigate(href);
  };

  onMount(() => {
    addEventListener("keydown", key, { capture: true });
    onCleanup(() => removeEventListener("keydown", key, { capture: true }));
  });
}

/** Follows the screen's link to a new resource, if there is one. */
function pressNew(): void {
  document.querySelector<HTMLAnchorElement>('#content a[href$="/new"]')?.click();
}
