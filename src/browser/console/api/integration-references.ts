/** Matches `{{integration.param_or_secret}}` in a tool's configuration. */
const REFERENCE = /\{\{\s*([a-z]\w*)\.\w+\s*\}\}/g;

/** Returns the names of the integrations that a tool's configuration refers to, in order of first use. */
export function integrationsIn(config: unknown): string[] {
  const text = JSON.stringify(config) ?? "";
  return [...new Set([...text.matchAll(REFERENCE)].flatMap(([, name]) => name ?? []))];
}
