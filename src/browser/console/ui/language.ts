import { LANGUAGE } from "../texts/format.ts";

/**
 * Replaces a browser language that no Intl function accepts: Chromium in the POSIX locale reports `en-US@posix`, and
 * the chart library passes it to Intl while it loads.
 */
export function ensureValidLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    Object.defineProperty(navigator, "language", { value: LANGUAGE });
  }
}
