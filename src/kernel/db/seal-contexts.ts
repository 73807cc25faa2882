import type { SealContext } from "../secrets/vault.ts";

// Stored values are bound to these table names: a changed name would leave them unreadable.

/** What a carrier's credentials are sealed for. */
export function credentialsContext(account: string, id: string): SealContext {
  return { account, table: "telephony_providers", id };
}

/** What an integration's secrets are sealed for. */
export function secretsContext(account: string, id: string): SealContext {
  return { account, table: "integrations", id };
}

/** What the key is sealed for under which an account keeps opt-outs of erased people. */
export function optOutKeyContext(account: string, id: string): SealContext {
  return { account, table: "erased_opt_outs", id };
}

/** What a widget key is sealed for. */
export function widgetKeyContext(account: string, id: string): SealContext {
  return { account, table: "widget_keys", id };
}

/** What a webhook's secrets are sealed for. */
export function webhookContext(account: string, id: string): SealContext {
  return { account, table: "webhooks", id };
}

/** What the secret of a user's second factor is sealed for. */
export function secondFactorContext(account: string, id: string): SealContext {
  return { account, table: "second_factors", id };
}
