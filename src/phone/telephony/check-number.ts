import { eq, inArray, sql } from "drizzle-orm";
import type { z } from "zod";
import { leftOutInWords } from "../../agent/agents/context.ts";
import { inForce } from "../../agent/versions/in-force.ts";
import { leftOutRead } from "../../agent/versions/left-out.ts";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { agents, phoneNumbers, telephonyProviders } from "../../kernel/db/schema/index.ts";
import { knowsItsAddress } from "../../kernel/http/base-url.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { notFound } from "../../kernel/http/errors.ts";
import { countCarrierLook } from "../../kernel/http/rate-limits.ts";
import { CarrierRefusal, CarrierUncertain, PROVIDERS, type Provider } from "../carriers/carrier.ts";
import type { CarrierNumbers, InboundTarget, NumberSetup, Verdict } from "../carriers/numbers/numbers.ts";
import { runtimeReachable, webhookReachable } from "../carriers/reachability.ts";
import { EFFECT_COLUMNS, settingsWithoutEffect, speakerOn, withoutPhrases } from "../effect/effect.ts";
import type { numberChecks } from "./carrier-contract.ts";
import { inboundAddress } from "./inbound-address.ts";
import { connectCarrier } from "./line.ts";

type NumberRow = typeof phoneNumbers.$inferSelect;
type CredentialsRow = typeof telephonyProviders.$inferSelect;

interface Context {
  env: Bindings;
  store: AccountStore;
  /** The host that the request was sent to. */
  arrivedAt: string;
  /** ms */
  now: number;
}

interface AtCarrier {
  owned: Verdict;
  inbound: Verdict;
}

/** The timeout of a number's check at the carrier, for all requests together, ms. */
const LOOK_MS = 15_000;

/**
 * Checks whether calls from and to the number can work. The checks run independently and concurrently, and the failed
 * ones are stored with the number. With `fix`, a wrong address for inbound calls at the carrier is corrected and
 * checked again.
 * @throws ApiError 404 for an unknown number
 */
export async function checkNumber(context: Context, id: string, fix: boolean): Promise<z.input<typeof numberChecks>> {
  const { env, store, arrivedAt, now } = context;
  await countCarrierLook(env, store.account);
  const credentialsId = sql`(SELECT credentials_id FROM phone_numbers WHERE account = ${store.account} AND id = ${id})`;
  const [number, credentials] = await store.read(
    store.first(phoneNumbers, { where: eq(phoneNumbers.id, id) }),
    store.first(telephonyProviders, { where: inArray(telephonyProviders.id, credentialsId) }),
  );
  const provider = PROVIDERS.find((name) => name === number?.provider);
  if (!number || !provider) throw notFound("phone number");
  const surroundings = { env, provider, arrivedAt, fetch: (...args: Parameters<typeof fetch>) => fetch(...args) };
  const webhook = webhookReachable(surroundings);
  const [{ owned, inbound }, reports, runtime, warnings] = await Promise.all([
    atCarrier(context, number, credentials, fix),
    webhook,
    runtimeReachable(surroundings, webhook),
    warningsOf(context, number, provider),
  ]);
  const checks = [
    named("owned", owned),
    named("webhook_reachable", reports),
    named("inbound_address", inbound),
    named("runtime_reachable", runtime),
  ];
  const failed = checks.filter(({ ok }) => !ok).map(({ name }) => name);
  const last_check = { at: new Date(now).toISOString(), ok: failed.length === 0, failed };
  await store.record(store.update(phoneNumbers, { last_check }, eq(phoneNumbers.id, id)));
  return { checks, warnings };
}

async function warningsOf({ env, store }: Pick<Context, "env" | "store">, { agent_id }: NumberRow, provider: Provider) {
  if (agent_id === null) return [];
  const [left_out, agent] = await store.read(
    leftOutRead(store, agent_id, null),
    inForce(store, eq(agents.id, agent_id), EFFECT_COLUMNS),
  );
  const settings = agent ? settingsWithoutEffect(agent, speakerOn(env, provider)) : [];
  const found = [
    { code: "context_left_out" as const, message: leftOutInWords(left_out) },
    { code: "language_without_phrases" as const, message: agent ? withoutPhrases(agent) : null },
    { code: "setting_without_effect" as const, message: settings.length === 0 ? null : settings.join("; ") },
  ];
  return found.flatMap(({ code, message }) => (message === null ? [] : [{ code, message }]));
}

async function atCarrier(
  { env, store }: Context,
  number: NumberRow,
  credentials: CredentialsRow | undefined,
  fix: boolean,
): Promise<AtCarrier> {
  const provider = PROVIDERS.find((name) => name === number.provider);
  if (provider === "sandbox" || !provider) {
    const inbound = yes("Incoming sandbox calls stay within this service.");
    return {
      owned: yes("The sandbox has every number that is registered with it."),
      inbound: asSetHere(inbound, number),
    };
  }
  if (!credentials || credentials.deleted_at !== null) {
    const missing = no(
      `The credentials for ${provider} were deleted: register the number again with stored credentials.`,
    );
    return { owned: missing, inbound: missing };
  }
  const { numbers } = await connectCarrier(env, store.account, provider, credentials);
  if (!numbers)
    return { owned: notChecked(`${provider} lists no numbers`), inbound: notChecked(`${provider} lists no numbers`) };
  if (!knowsItsAddress(env)) {
    const unknown = no("The address for incoming calls is unknown: PUBLIC_URL is not set.");
    return { owned: unknown, inbound: unknown };
  }
  const target = {
    address: inboundAddress(env, provider, store.account, credentials.id),
    credentials_id: credentials.id,
  };
  const setup = await look(numbers, number.e164, target);
  if ("refused" in setup) return { owned: notChecked(setup.refused), inbound: notChecked(setup.refused) };
  if (setup.found === null) return { owned: notThere(provider), inbound: no("There is no number to check.") };
  const { in_service, inbound } = setup.found;
  const owned = in_service.ok ? yes(`The carrier account at ${provider} has the number.`) : in_service;
  if (inbound.ok || !fix) return { owned, inbound: asSetHere(inbound, number) };
  // Otherwise callers would only hear an error.
  if (!number.inbound_enabled) return { owned, inbound: asSetHere(inbound, number) };
  await store.note({ action: "set_inbound", resource: "phone_number", resource_id: number.id });
  return { owned, inbound: asSetHere(await setInbound(numbers, number.e164, target, inbound), number) };
}

/** Sets the address and checks again. Reports the state before, the change and the state after. */
async function setInbound(
  numbers: CarrierNumbers,
  e164: string,
  target: InboundTarget,
  before: Verdict,
): Promise<Verdict> {
  const was = `Before: ${before.detail}`;
  let done: string;
  try {
    done = await numbers.setInbound(e164, target);
  } catch (error) {
    if (error instanceof CarrierUncertain)
      return no(`${was} It is unclear whether the address was set: ${error.message}. Check again.`);
    if (error instanceof CarrierRefusal) return no(`${was} It could not be set, or only in part: ${error.message}.`);
    throw error;
  }
  const after = await look(numbers, e164, target);
  if ("refused" in after) return no(`${was} ${done} The result could not be checked: ${after.refused}.`);
  const { ok, detail } = after.found?.inbound ?? no("The number is no longer there.");
  return { ok, detail: `${was} ${done} Now: ${detail}` };
}

/** Checks the number within the timeout; `refused` returns the result for a failure. */
async function look(
  numbers: CarrierNumbers,
  e164: string,
  target: InboundTarget,
): Promise<{ found: NumberSetup | null } | { refused: string }> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<{ refused: string }>((resolve) => {
    timer = setTimeout(() => resolve({ refused: `the carrier did not answer within ${LOOK_MS / 1_000} s` }), LOOK_MS);
  });
  const looking = numbers.look(e164, target).then(
    (found) => ({ found }),
    (error: unknown) => {
      if (error instanceof CarrierRefusal) return { refused: error.message };
      throw error;
    },
  );
  try {
    return await Promise.race([looking, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Combines the carrier's configuration with the settings of this service that keep callers out. */
function asSetHere({ ok, detail }: Verdict, { inbound_enabled, agent_id }: NumberRow): Verdict {
  if (!inbound_enabled)
    return no(
      `${detail} The number is not enabled for incoming calls here: remove it and register it with inbound_enabled.`,
    );
  if (ok && agent_id === null) return yes(`${detail} No agent is assigned to the number, so calls are rejected.`);
  return { ok, detail };
}

function named<N extends string>(name: N, { ok, detail }: Verdict) {
  return { name, ok, detail };
}

const yes = (detail: string): Verdict => ({ ok: true, detail });
const no = (detail: string): Verdict => ({ ok: false, detail });
const notChecked = (why: string) => no(`The carrier could not be checked: ${why}.`);
const notThere = (provider: string) =>
  no(
    `The carrier account at ${provider} does not have the number: buy it there, or register it with the right credentials.`,
  );
