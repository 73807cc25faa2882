/** `{{integration.param_or_secret}}`, as tools' configurations name them. */
const REFERENCE = /\{\{\s*([a-z]\w*)\.\w+\s*\}\}/g;

/** The names of the integrations that a tool's configuration refers to, in the order they are first named. */
export function integrationsIn(config: unknown): string[] {
  const text = JSON.stringify(config) ?? "";
  return [...new Set([...text.matchAll(REFERENCE)].flatMap(([, name]) => name ?? []))];
}
