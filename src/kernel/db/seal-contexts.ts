import type { SealContext } from "../secrets/vault.ts";

// Stored values are bound to these table names. Changing a name would make them unreadable.

export function credentialsContext(account: string, id: string): SealContext {
  return { account, table: "telephony_providers", id };
}

export function secretsContext(account: string, id: string): SealContext {
  return { account, table: "integrations", id };
}

/** Returns the context of the key with which an account hashes the opt-outs of erased people. */
export function optOutKeyContext(account: string, id: string): SealContext {
  return { account, table: "erased_opt_outs", id };
}

export function widgetKeyContext(account: string, id: string): SealContext {
  return { account, table: "widget_keys", id };
}

export function webhookContext(account: string, id: string): SealContext {
  return { account, table: "webhooks", id };
}

export function secondFactorContext(account: string, id: string): SealContext {
  return { account, table: "second_factors", id };
}
