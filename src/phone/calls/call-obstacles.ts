import type { ModelInstall } from "../../agent/models/model-keys.ts";
import { isPublished } from "../../agent/versions/content-reads.ts";
import type { InForce } from "../../agent/versions/in-force.ts";
import { NOT_PUBLISHED } from "../../agent/versions/taken.ts";
import { assertOpen } from "../../kernel/db/account-store.ts";
import type { AccountStatus } from "../../kernel/db/own-account.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import type { Provider } from "../carriers/carrier.ts";
import { type Addresses, noRuntime } from "../carriers/no-runtime.ts";
import { noModel } from "./no-model.ts";

/** The fields of an agent in force that decide whether it may place or take a call. */
export const CALLABLE_COLUMNS = ["status", "llm_model", "fallback_model"] as const;
export type CallableAgent = InForce<(typeof CALLABLE_COLUMNS)[number]>;

/** Why an agent may not place or take a call, as a code and a text. */
export interface CallObstacle {
  code: "agent_missing" | "agent_archived" | "not_published" | "agent_draft" | "no_runtime" | "no_model";
  message: string;
}

interface PlannedCall {
  accountStatus: AccountStatus;
  direction: "outbound" | "inbound";
  /** Undefined if the account has no such agent. */
  agent: CallableAgent | undefined;
  /** Null if the carrier isn't known yet. */
  provider: Provider | null;
  /** The account's own keys for models. */
  installs: ModelInstall[];
}

/**
 * Yields the reasons why this agent may not place or take a call. All kinds of calls use this check. `now` is in ms.
 * @throws AccountClosedError; ApiError 503, VaultUnavailable if it can't be determined
 */
export async function* callObstacles(
  env: Bindings & Addresses,
  { accountStatus, direction, agent, provider, installs }: PlannedCall,
  now: number,
): AsyncGenerator<CallObstacle> {
  const byAgent = agentObstacle({ accountStatus, direction, agent });
  if (byAgent) yield byAgent;
  if (provider === null) return;
  const withoutRuntime = noRuntime(env, provider);
  if (withoutRuntime !== null) yield { code: "no_runtime", message: withoutRuntime };
  const withoutModel = agent ? await noModel(env, provider, agent, installs, now) : null;
  if (withoutModel !== null) yield { code: "no_model", message: withoutModel };
}

/** Returns the first reason why this agent may not place or take the call; null if it may. */
export async function callObstacle(...planned: Parameters<typeof callObstacles>): Promise<CallObstacle | null> {
  const { value: first } = await callObstacles(...planned).next();
  return first ?? null;
}

/** The part of a planned call that is checked again directly before the call. */
type PlannedAgent = Pick<PlannedCall, "accountStatus" | "direction"> & { agent: InForce<"status"> | undefined };

/**
 * Returns the reasons that depend only on the account and the agent. A draft can be tried with calls that its owner
 * places, but takes no inbound calls. @throws AccountClosedError
 */
export function agentObstacle({ accountStatus, direction, agent }: PlannedAgent): CallObstacle | null {
  assertOpen(accountStatus);
  if (!agent) return { code: "agent_missing", message: "the agent was deleted" };
  const code = outOfService(agent, direction);
  return code && { code, message: WORDS[code] };
}

const WORDS = {
  agent_archived: "the agent is archived",
  not_published: NOT_PUBLISHED,
  agent_draft: "the agent is a draft",
};

/** Returns why the agent itself can't have calls in this direction; null if it can. */
export function outOfService(
  agent: Pick<InForce<"status">, "status" | "versioning" | "published_version">,
  direction: "outbound" | "inbound",
): keyof typeof WORDS | null {
  if (agent.status === "archived") return "agent_archived";
  if (!isPublished(agent)) return "not_published";
  return agent.status === "draft" && direction === "inbound" ? "agent_draft" : null;
}
