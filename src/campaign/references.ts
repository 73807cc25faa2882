import { and, eq } from "drizzle-orm";
import type { LeftOut } from "../agent/agents/context.ts";
import { isDisclosedInAnother } from "../agent/disclosure/disclosure.ts";
import { type ModelInstall, modelKeys } from "../agent/models/model-keys.ts";
import { versionRead } from "../agent/versions/find-version.ts";
import { type InForce, inForce } from "../agent/versions/in-force.ts";
import { leftOutRead } from "../agent/versions/left-out.ts";
import type { AccountStore, Read } from "../kernel/db/account-store.ts";
import type { AccountStatus } from "../kernel/db/own-account.ts";
import { agents, callSettings, phoneNumbers } from "../kernel/db/schema/index.ts";
import { ApiError, conflict, type FieldError, inWords, unavailable } from "../kernel/http/errors.ts";
import { VaultUnavailable } from "../kernel/secrets/vault.ts";
import { DEFAULT_CALL_SETTINGS } from "../phone/call-settings/settings.ts";
import { type CallObstacle, callObstacles } from "../phone/calls/call-obstacles.ts";
import { PROVIDERS, type Provider } from "../phone/carriers/carrier.ts";
import { EFFECT_COLUMNS } from "../phone/effect/effect.ts";
import { type CampaignSettings, pinOf } from "./settings.ts";

type References = Pick<CampaignSettings, "agent_id" | "agent_version" | "from_number">;

const code = "unknown_reference";
const NO_AGENT = { field: "agent_id", code, message: "no such agent" };
const NO_NUMBER = { field: "from_number", code, message: "not one of the account's numbers for outbound calls" };

const NO_VERSION = { field: "agent_version", code, message: "the agent has no such version" };

/**
 * Returns errors for the references in the settings that the account doesn't have. A version belongs to the agent in
 * these settings, otherwise to `ofAgent`.
 */
export async function missingReference(
  store: AccountStore,
  { agent_id, agent_version = "live", from_number }: Partial<References>,
  ofAgent: string | null = null,
): Promise<FieldError[]> {
  const pin = pinOf({ agent_version });
  const [agent, version, number] = await store.read(
    store.count(agents, eq(agents.id, agent_id ?? "")),
    versionRead(store, agent_id ?? ofAgent ?? "", pin ?? 0),
    store.count(phoneNumbers, and(eq(phoneNumbers.e164, from_number ?? ""), eq(phoneNumbers.outbound_enabled, true))),
  );
  return [
    ...(agent_id != null && agent === 0 ? [NO_AGENT] : []),
    ...(pin !== null && !version ? [NO_VERSION] : []),
    ...(from_number != null && number === 0 ? [NO_NUMBER] : []),
  ];
}

/** Returns the error of a start whose agent was deleted in the meantime. */
export const agentGone = () => conflict("incomplete", inWords(NO_AGENT));

/** Time after which a start that the database refused can be retried, ms. */
const HOLD_AGAIN_MS = 5_000;

/** Returns the error of a start whose agent couldn't be protected from deletion. */
export const agentNotHeld = () =>
  unavailable(
    "database_unavailable",
    "the database accepts no writes, so the campaign was not started; try again",
    HOLD_AGAIN_MS,
  );

/** An obstacle that prevents a campaign from dialing, with the code of the refused start. */
export interface Obstacle {
  code: "incomplete" | Exclude<CallObstacle["code"], "agent_missing">;
  message: string;
}

/** The properties of an agent that its campaign's calls depend on. */
export type CampaignAgent = InForce<(typeof AGENT_COLUMNS)[number]>;
const AGENT_COLUMNS = [
  "name",
  "status",
  "llm_model",
  "fallback_model",
  "system_prompt",
  "greeting_message",
  "voicemail_message",
  "timezone",
  "disclosure",
  ...EFFECT_COLUMNS,
] as const;

interface Found {
  accountStatus: AccountStatus;
  agent: CampaignAgent | undefined;
  /** Whether the agent has the requested version. */
  hasVersion: boolean;
  number: Pick<typeof phoneNumbers.$inferSelect, "provider" | "outbound_enabled"> | undefined;
  installs: ModelInstall[];
}

/** Returns why a campaign with these settings can't dial now; null if it can. `now` is in ms. @throws ApiError 503 */
export async function startRefusal(
  env: Env,
  store: AccountStore,
  references: References,
  now: number,
): Promise<ApiError | null> {
  const { found } = foundReferences(references, await store.read(...referenceReads(store, references)));
  const { value: first } = await obstacles(env, references, found, now).next();
  return first ? conflict(first.code, first.message) : null;
}

interface CheckedReferences {
  agent: CampaignAgent | null;
  account_name: string;
  account_timezone: string | null;
  /** The calling codes that the account may dial; null for all. */
  allowed_destinations: string[] | null;
  /** Whether the disclosure is in another language than the agent speaks. */
  disclosed_in_another: boolean;
  obstacles: Obstacle[];
  /** The agent's playbooks and FAQs that don't fit into its calls. */
  left_out: LeftOut[];
  /** The carrier of its number; null if it has none. */
  provider: Provider | null;
}

/**
 * Returns all obstacles that prevent a campaign with these settings from dialing, and the agent that would speak, in
 * one round trip.
 */
export async function checkReferences(
  env: Env,
  store: AccountStore,
  references: References,
  now: number,
): Promise<CheckedReferences> {
  const [left_out, ...rows] = await store.read(
    leftOutRead(store, references.agent_id ?? "", pinOf(references)),
    ...referenceReads(store, references),
  );
  const { found, ...ofAccount } = foundReferences(references, rows);
  const all: Obstacle[] = [];
  try {
    for await (const obstacle of obstacles(env, references, found, now)) all.push(obstacle);
  } catch (error) {
    all.push(unanswered(error));
  }
  const provider = PROVIDERS.find((name) => name === found.number?.provider) ?? null;
  return Object.assign({ agent: found.agent ?? null, obstacles: all, left_out, provider }, ofAccount);
}

function referenceReads(store: AccountStore, { agent_id, agent_version, from_number }: References) {
  const pin = pinOf({ agent_version });
  return [
    inForce(store, eq(agents.id, agent_id ?? ""), AGENT_COLUMNS, pin),
    versionRead(store, agent_id ?? "", pin ?? 0),
    store.first(phoneNumbers, {
      where: eq(phoneNumbers.e164, from_number ?? ""),
      columns: ["provider", "outbound_enabled"],
    }),
    modelKeys(store),
    store.profile(),
    store.first(callSettings),
  ] as const;
}

type Rows<T> = { [K in keyof T]: T[K] extends Read<infer R> ? R : never };

function foundReferences(
  { agent_version }: References,
  [agent, version, number, installs, profile, settings]: Rows<ReturnType<typeof referenceReads>>,
): { found: Found } & Omit<CheckedReferences, "agent" | "obstacles" | "left_out" | "provider"> {
  const { allowed_destinations, disclosure } = settings ?? DEFAULT_CALL_SETTINGS;
  const hasVersion = pinOf({ agent_version }) === null || version !== undefined;
  const found = { accountStatus: profile.accountStatus, agent, hasVersion, number, installs };
  const { display_name: account_name, timezone: account_timezone } = profile;
  const disclosed_in_another =
    agent !== undefined && isDisclosedInAnother(disclosure, agent.disclosure, agent.language);
  return { found, account_name, account_timezone, allowed_destinations, disclosed_in_another };
}

/** Returns the obstacles to placing calls one by one. A start stops at the first. */
async function* obstacles(
  env: Env,
  { agent_id, from_number }: References,
  { accountStatus, agent, hasVersion, number, installs }: Found,
  now: number,
): AsyncGenerator<Obstacle> {
  const unset = [agent_id === null && "agent_id", from_number === null && "from_number"].filter(Boolean);
  if (unset.length > 0)
    yield { code: "incomplete", message: `set ${unset.join(" and ")} before you start the campaign` };
  const provider = PROVIDERS.find((name) => name === number?.provider) ?? null;
  if (from_number !== null && (!number?.outbound_enabled || !provider))
    yield { code: "incomplete", message: inWords(NO_NUMBER) };
  if (agent && !hasVersion) yield { code: "incomplete", message: inWords(NO_VERSION) };
  const planned = { accountStatus, direction: "outbound" as const, agent, provider, installs };
  for await (const { code, message } of callObstacles(env, planned, now)) {
    if (code !== "agent_missing") yield { code, message };
    else if (agent_id !== null) yield { code: "incomplete", message: inWords(NO_AGENT) };
  }
}

/** Returns the obstacle for a check that could not be completed, which prevents the start too. */
function unanswered(error: unknown): Obstacle {
  if (error instanceof ApiError) return { code: "no_runtime", message: error.message };
  if (error instanceof VaultUnavailable)
    return {
      code: "no_model",
      message: `the account's API key for the agent's model cannot be decrypted: ${error.message}`,
    };
  throw error;
}
