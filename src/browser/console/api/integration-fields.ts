import type { Body } from "./client.ts";

/**
 * Returns the fields of an integration that tools can refer to: those it asks for, and the account's own stored
 * secrets.
 */
export function fieldsOf({ asks_for, any_secrets, secret_names }: Body<"Integration">) {
  const own = any_secrets ? secret_names.map((name) => ({ name, label: name })) : [];
  return [...asks_for.secrets, ...own, ...asks_for.params];
}
