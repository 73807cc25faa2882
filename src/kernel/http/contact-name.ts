/**
 * Returns a contact's name from its columns, ignoring case: `name`, otherwise `first_name` and `last_name`; null if
 * there is none.
 */
export function contactName(variables: Readonly<Record<string, unknown>> | null): string | null {
  const columns = new Map(Object.entries(variables ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  const cell = (name: string) => {
    const value = columns.get(name);
    return typeof value === "string" ? value.trim() : "";
  };
  return cell("name") || `${cell("first_name")} ${cell("last_name")}`.trim() || null;
}
