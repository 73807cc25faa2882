import type { Body } from "./client.ts";

/** What tools can name of an integration: what it asks for, and the secrets of one's own that are stored. */
export function fieldsOf({ asks_for, any_secrets, secret_names }: Body<"Integration">) {
  const own = any_secrets ? secret_names.map((name) => ({ name, label: name })) : [];
  return [...asks_for.secrets, ...own, ...asks_for.params];
}
