import { inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import type { ModelKeys } from "../../agent/models/choose-model.ts";
import { keyHolders } from "../../agent/models/model-keys.ts";
import type { NamedPair } from "../../agent/models/model-pair.ts";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import {
  agents,
  agentVersions,
  agentWidgetSettings,
  integrationInstalls,
  phoneNumbers,
  widgetKeys,
} from "../../kernel/db/schema/index.ts";
import { combined, mapped, type Read } from "../../kernel/db/statement.ts";
import { knowsItsAddress } from "../../kernel/http/base-url.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import type { InServiceOf, InServiceRead, NewAgentFacts } from "../../kernel/http/in-service.ts";
import { noModelBy } from "../../phone/calls/no-model.ts";
import { PROVIDERS, type Provider } from "../../phone/carriers/carrier.ts";
import { noRuntime } from "../../phone/carriers/no-runtime.ts";
import { DEFAULT_POLICY } from "../visitors/settings.ts";
import { inService, type Line, type LineObstacle } from "./decide.ts";

/** Creates the read that tells where an account's agents are in service; `now` is in ms. */
export function inServiceReads(env: Bindings, store: AccountStore, now: number): InServiceRead {
  const read = (chosen?: SQL) => mapped(factReads(store, chosen), (facts) => judge(env, facts, now));
  // No number, widget key, setting or version can refer to an agent that is created in the same batch.
  const ofNew = (agent: NewAgentFacts) => {
    const reads = combined(readLines(store, sql`${phoneNumbers.outbound_enabled}`), readInstalls(store));
    return mapped(reads, ([lines, installs]) => judge(env, [[agent], [], lines, [], [], installs], now));
  };
  return Object.assign(read, { ofNew });
}

const readLines = (store: AccountStore, where: SQL | undefined) =>
  store.select(phoneNumbers, {
    where,
    columns: ["id", "agent_id", "provider", "inbound_enabled", "outbound_enabled"],
  });

const readInstalls = (store: AccountStore) =>
  store.select(integrationInstalls, { columns: ["id", "installed_at", "params", "secret_names"] });

/** Reads the deciding columns in one statement, which can be batched with others. */
function factReads(store: AccountStore, chosen: SQL | undefined) {
  const of = (column: Parameters<typeof inArray>[0]) => (chosen ? inArray(column, sql`(${chosen})`) : undefined);
  const published = sql`SELECT id, published_version FROM agents WHERE account = ${store.account} AND versioning = 'manual'${chosen ? sql` AND id IN (${chosen})` : sql``}`;
  return combined(
    store.select(agents, {
      where: of(agents.id),
      columns: ["id", "status", "versioning", "published_version", "llm_model", "fallback_model", "auth_mode"],
    }),
    // Conversations use the model of the version in force. Its prompt may be long, so it is not read.
    store.values(
      agentVersions,
      {
        agent_id: agentVersions.agent_id,
        llm_model: sql<string>`${agentVersions.fields} ->> 'llm_model'`,
        fallback_model: sql<string | null>`${agentVersions.fields} ->> 'fallback_model'`,
      },
      sql`(${agentVersions.agent_id}, ${agentVersions.number}) IN (${published})`,
    ),
    // Campaigns may call from any number of the account.
    readLines(store, chosen && or(of(phoneNumbers.agent_id), sql`${phoneNumbers.outbound_enabled}`)),
    store.select(agentWidgetSettings, {
      where: of(agentWidgetSettings.agent_id),
      columns: ["agent_id", "auth_mode", "widget_enabled"],
    }),
    store.select(widgetKeys, {
      where: all(
        isNull(widgetKeys.disabled_at),
        sql`json_array_length(${widgetKeys.domain_allowlist}) > 0`,
        of(widgetKeys.agent_id),
      ),
      columns: ["id", "agent_id"],
    }),
    readInstalls(store),
  );
}

type Facts =
  ReturnType<typeof factReads> extends Read<[unknown, ...infer Others]> ? [NewAgentFacts[], ...Others] : never;

function judge(
  env: Bindings,
  [agentRows, versions, numbers, policies, keys, installs]: Facts,
  now: number,
): InServiceOf {
  const byId = new Map(agentRows.map((agent) => [agent.id, agent]));
  const models = new Map(versions.map((version) => [version.agent_id, version]));
  const policyOf = new Map(policies.map((policy) => [policy.agent_id, policy]));
  const keysOf = Map.groupBy(keys, ({ agent_id }) => agent_id);
  const obstacleOf = carrierObstacles(env, keyHolders(installs), now);
  return (agentId, { number, widgetKey } = {}) => {
    const agent = byId.get(agentId);
    if (!agent) throw new TypeError(`the agent ${agentId} was not read`);
    const named = models.get(agentId) ?? agent;
    const lines = numbers
      .filter(({ id }) => number === undefined || id === number)
      .map(({ agent_id, provider, inbound_enabled, outbound_enabled }): Line => {
        const isPinned = agent_id === agentId;
        return { isPinned, inbound_enabled, outbound_enabled, obstacle: obstacleOf(provider, named) };
      });
    const own = (keysOf.get(agentId) ?? []).filter(({ id }) => widgetKey === undefined || id === widgetKey);
    return inService({ agent, lines, policy: policyOf.get(agentId) ?? DEFAULT_POLICY, keys: own.length });
  };
}

/** Returns a cached function that returns what prevents a carrier's calls to an agent with these models. */
function carrierObstacles(env: Bindings, keys: ModelKeys, now: number) {
  const found = new Map<string, LineObstacle | null>();
  return (name: string, { llm_model, fallback_model }: NamedPair): LineObstacle | null => {
    const provider = PROVIDERS.find((one) => one === name);
    if (!provider) return null;
    const pair = `${provider} ${llm_model} ${fallback_model}`;
    const known = found.get(pair);
    if (known !== undefined) return known;
    const obstacle = carrierObstacle(env, provider, { llm_model, fallback_model }, keys, now);
    found.set(pair, obstacle);
    return obstacle;
  };
}

function carrierObstacle(
  env: Bindings,
  provider: Provider,
  agent: NamedPair,
  keys: ModelKeys,
  now: number,
): LineObstacle | null {
  if (!knowsItsAddress(env))
    return { reason: "no_runtime", message: "This service's address (PUBLIC_URL) is not set." };
  const withoutRuntime = noRuntime(env, provider);
  if (withoutRuntime !== null) return { reason: "no_runtime", message: sentence(withoutRuntime) };
  const withoutModel = noModelBy(env, provider, agent, keys, now);
  return withoutModel === null ? null : { reason: "no_model", message: sentence(withoutModel) };
}

/** Turns the message of a refusal into a sentence. */
function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
