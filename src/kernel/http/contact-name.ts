/** Who a contact is by its columns, whatever their case: `name`, else `first_name` and `last_name`; null for none. */
export function contactName(variables: Readonly<Record<string, unknown>> | null): string | null {
  const columns = new Map(Object.entries(variables ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  const cell = (name: string) => {
    const value = columns.get(name);
    return typeof value === "string" ? value.trim() : "";
  };
  return cell("name") || `${cell("first_name")} ${cell("last_name")}`.trim() || null;
}
