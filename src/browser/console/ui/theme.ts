import { createRenderEffect, createSignal } from "solid-js";

/** Light, dark, or following the system. */
export type Theme = "system" | "light" | "dark";

const STORED = "switchboard-theme";
const THEMES: Theme[] = ["system", "light", "dark"];
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");

const [isSystemDark, setSystemDark] = createSignal(systemIsDark.matches);
systemIsDark.addEventListener("change", ({ matches }) => setSystemDark(matches));
const [theme, setTheme] = createSignal<Theme>(THEMES.find((each) => each === localStorage.getItem(STORED)) ?? "system");

export { theme };

/** Whether dark colours are shown now: for what draws by itself, plots. */
export const isDark = (): boolean => (theme() === "system" ? isSystemDark() : theme() === "dark");

/** The next of the three. */
export function switchTheme(): void {
  const next = THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length] ?? "system";
  localStorage.setItem(STORED, next);
  setTheme(next);
}

/** Has the page's colours follow the theme, before plots read them for a drawing; once, where the console begins. */
export function applyTheme(): void {
  createRenderEffect(() => {
    document.documentElement.dataset.theme = isDark() ? "dark" : "light";
  });
}
