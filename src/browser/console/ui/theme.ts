import { createRenderEffect, createSignal } from "solid-js";

export type Theme = "system" | "light" | "dark";

const STORED = "switchboard-theme";
const THEMES: Theme[] = ["system", "light", "dark"];
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");

const [isSystemDark, setSystemDark] = createSignal(systemIsDark.matches);
systemIsDark.addEventListener("change", ({ matches }) => setSystemDark(matches));
const [theme, setTheme] = createSignal<Theme>(THEMES.find((each) => each === localStorage.getItem(STORED)) ?? "system");

export { theme };

/** Checks whether dark colors are shown, for plots, which draw their own colors. */
export const isDark = (): boolean => (theme() === "system" ? isSystemDark() : theme() === "dark");

/** Switches to the next of the three themes. */
export function switchTheme(): void {
  const next = THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length] ?? "system";
  localStorage.setItem(STORED, next);
  setTheme(next);
}

/** Applies the theme's colors to the page before plots read them. Called once, when the console starts. */
export function applyTheme(): void {
  createRenderEffect(() => {
    document.documentElement.dataset.theme = isDark() ? "dark" : "light";
  });
}
