import type { SealContext } from "../secrets/vault.ts";

// Stored values are bound to these table names: a changed name would leave them unreadable.

/** The context that a carrier's credentials are sealed in. */
export function credentialsContext(account: string, id: string): SealContext {
  return { account, table: "telephony_providers", id };
}

/** What an integration's secrets are sealed for. */
export function secretsContext(account: string, id: string): SealContext {
  return { account, table: "integrations", id };
}

/** The context of the key under which an account keeps opt-outs of erased people. */
export function optOutKeyContext(account: string, id: string): SealContext {
  return { account, table: "erased_opt_outs", id };
}

/** The context that a widget key is sealed in. */
export function widgetKeyContext(account: string, id: string): SealContext {
  return { account, table: "widget_keys", id };
}

/** The context that a webhook's secrets are sealed in. */
export function webhookContext(account: string, id: string): SealContext {
  return { account, table: "webhooks", id };
}

/** The context that the secret of a user's second factor is sealed in. */
export function secondFactorContext(account: string, id: string): SealContext {
  return { account, table: "second_factors", id };
}
