import { OpenAPIHono } from "@hono/zod-openapi";
import { v7 as uuidv7 } from "uuid";
import { CATALOG } from "../../agent/catalog/index.ts";
import { firstCatalogue } from "../../agent/marketplace/seed-catalog.ts";
import { type DayTotal, OPERATOR_ACCOUNT } from "../../kernel/db/schema/index.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { invalidField, notFound } from "../../kernel/http/errors.ts";
import { serve } from "../../kernel/http/serve.ts";
import { openStore } from "../../kernel/http/stores.ts";
import { hashPassword } from "../../kernel/secrets/passwords.ts";
import { Vault } from "../../kernel/secrets/vault.ts";
import { DAY_MS, MINUTE_MS } from "../../kernel/time.ts";
import { PLAN_NAMES, PLANS } from "../../phone/call-limits/plans.ts";
import { tellLedger } from "../../records/ledger/tell-retention.ts";
import { sumsShown } from "../../records/usage/usage-sums.ts";
import { requestedWindow } from "../../records/usage/usage-window.ts";
import { isFor, notFor } from "../auth/operator-terms.ts";
import { assertStrong } from "../auth/password-rule.ts";
import { eachQuota, QUOTAS, type Quotas } from "../plan/quotas.ts";
import * as contract from "./contract.ts";
import { rekey } from "./rekey.ts";
import * as rekeyContract from "./rekey-contract.ts";
import { describe, found, overrides, updateAccount } from "./update-account.ts";
import { getAccountUsage } from "./usage-contract.ts";
import * as usersContract from "./users-contract.ts";

export const accounts = new OpenAPIHono<AppEnv>();

serve(accounts, contract.listPlans, () => {
  const plans = PLAN_NAMES.map((name) => ({
    name,
    caps: PLANS[name],
    quotas: eachQuota((quota) => QUOTAS[quota][name]),
  }));
  return { plans, total: plans.length };
});

serve(accounts, contract.listAccounts, async ({ operatorStore, principal: { operatorTerms } }) => {
  const all = await operatorStore.accounts();
  const rows = all.filter(({ name }) => name !== OPERATOR_ACCOUNT && isFor(operatorTerms, name));
  return { accounts: rows.map(describe), total: rows.length };
});

serve(accounts, getAccountUsage, async ({ operatorStore, query, now }) => {
  const window = requestedWindow(query, now);
  const rows = await operatorStore.usage(window);
  const usage = rows.map((row) =>
    Object.assign(
      { account: row.account },
      sumsShown((name) => row[name]),
    ),
  );
  return Object.assign({ usage }, window);
});

serve(accounts, contract.createAccount, async ({ operatorStore, principal, body, now }) => {
  const { name, display_name, plan, listed, caps, quotas, max_key_expiry_days, recording_retention_days } = body;
  if (!isFor(principal.operatorTerms, name)) throw notFor();
  const at = new Date(now).toISOString();
  const account = {
    name,
    display_name: display_name ?? name,
    plan,
    listed,
    max_key_expiry_days,
    recording_retention_days,
    ...overrides(caps),
    quotas: quotaOverrides(quotas),
    catalog_version: CATALOG.version,
    created_at: at,
    updated_at: at,
  };
  const row = await operatorStore.create(account, (statements) => firstCatalogue(statements, now));
  if (!row) throw taken("name", "an account with this name already exists");
  return describe(row);
});

serve(accounts, contract.getAccount, async ({ operatorStore, params, now }) => {
  const name = tenant(params.account);
  const since = new Date(now - contract.SHOWN_DAYS * DAY_MS).toISOString().slice(0, 10);
  const [row, days] = await Promise.all([operatorStore.account(name), operatorStore.days(name, since)]);
  return Object.assign(describe(found(row)), { days: days.map(describeDay) });
});

serve(accounts, contract.updateAccount, async ({ c, env, operatorStore, principal, params, body, now }) => {
  const name = onlySessions(body) ? params.account : tenant(params.account);
  const { row, asked } = await updateAccount({ operatorStore, terms: principal.operatorTerms, now }, name, body);
  if (asked.recording_retention_days !== undefined)
    await tellLedger({ env, store: openStore(c, name, c.get("author")) }, now);
  return describe(row);
});

serve(accounts, usersContract.listUsers, async ({ operatorStore, params: { account } }) => {
  const [, users] = await Promise.all([operatorStore.account(account).then(found), operatorStore.users(account)]);
  return { users, total: users.length };
});

serve(accounts, usersContract.createUser, async ({ env, operatorStore, params: { account }, body, now }) => {
  found(await operatorStore.account(account));
  const { email, name, password, role } = body;
  assertStrong(password, { account, email }, "password");
  const user = await operatorStore.createUser({
    account,
    id: uuidv7({ msecs: now }),
    email,
    name,
    role,
    password_hash: await hashPassword(password, env.PASSWORD_PEPPER),
    created_at: new Date(now).toISOString(),
  });
  if (!user) throw taken("email", "a user with this email already exists");
  return user;
});

serve(accounts, usersContract.deleteUser, async ({ operatorStore, params: { account, userId } }) => {
  if (!(await operatorStore.deleteUser(account, userId))) throw notFound("user");
});

serve(accounts, usersContract.signOutUser, async ({ operatorStore, params: { account, userId } }) => {
  if (!(await operatorStore.signOutUser(account, userId))) throw notFound("user");
});

serve(accounts, rekeyContract.rekey, ({ env, operatorStore }) =>
  operatorStore.recorded({ action: "reencrypt", resource: "secrets", resource_id: "all" }, (DB) =>
    rekey({ DB, ACCOUNT_GATE: env.ACCOUNT_GATE }, new Vault(env.ENCRYPTION_KEYS)),
  ),
);

/** Refuses the operators' own account. Only its users and their sessions can be changed. */
function tenant(name: string): string {
  if (name === OPERATOR_ACCOUNT) throw notFound("account");
  return name;
}

/** Checks whether the change only ends sessions, which is also permitted for the operators' own account. */
function onlySessions(body: object): boolean {
  return Object.keys(body).every((field) => field === "sessions_valid_after") && "sessions_valid_after" in body;
}

function quotaOverrides(quotas: { [K in keyof Quotas]?: number | null | undefined }): Record<string, number> {
  const set = Object.entries(quotas).filter((entry): entry is [string, number] => typeof entry[1] === "number");
  return Object.fromEntries(set);
}

function describeDay({ talk_ms, ...sums }: DayTotal) {
  return Object.assign(sums, { minutes: Math.round(talk_ms / MINUTE_MS) });
}

const taken = (field: string, message: string) => invalidField(field, "duplicate", message, message);
