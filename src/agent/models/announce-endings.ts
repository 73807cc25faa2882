import pMap from "p-map";
import { Maintenance, type NamingAgent } from "../../kernel/db/maintenance.ts";
import { accountEvents } from "../../kernel/durable/objects.ts";
import { logError } from "../../kernel/log.ts";
import { DAY_MS } from "../../kernel/time.ts";
import { type EventOf, newEvent } from "../../records/events/event.ts";
import { endOf, LISTED_MODELS, type ListedModel } from "./list.ts";

/** How long before a model's end the events are emitted, ms. */
const NOTICE_MS = 30 * DAY_MS;
/** The number of accounts that are notified at once. */
const CONCURRENT = 6;

/**
 * Emits `model.ending` for every agent of these accounts whose model ends within 30 days of `now` (ms). Returns the
 * accounts for which that failed. An event's id is always the same, and the account's log accepts an id once, so
 * repeated or interrupted runs neither lose nor duplicate events.
 */
export async function announceEndings(
  env: Pick<Env, "DB" | "ACCOUNT_EVENTS">,
  accounts: string[],
  now: number,
  models: readonly ListedModel[] = LISTED_MODELS,
): Promise<ReadonlySet<string>> {
  const ending = models.filter((model) => isEnding(model, now));
  if (ending.length === 0 || accounts.length === 0) return new Set();
  let failed = new Set(accounts);
  try {
    const naming = await new Maintenance(env.DB).namingModels(
      accounts,
      ending.map(({ name }) => name),
    );
    const byAccount = Map.groupBy(naming, ({ account }) => account);
    failed = new Set();
    await pMap(
      byAccount,
      async ([account, agents]) => {
        try {
          await accountEvents(env, account).take(agents.flatMap((agent) => eventsOf(agent, ending)));
        } catch (error) {
          failed.add(account);
          logError("model endings", error, { account });
        }
      },
      { concurrency: CONCURRENT },
    );
  } catch (error) {
    logError("model endings", error);
  }
  return failed;
}

function isEnding(model: ListedModel, now: number): boolean {
  const end = endOf(model);
  return end !== null && now < end && now >= end - NOTICE_MS;
}

function eventsOf(agent: NamingAgent, ending: readonly ListedModel[]): EventOf<"model.ending">[] {
  return ending
    .filter(({ name }) => agent.named.includes(name))
    .map((model) => {
      const end = endOf(model) ?? 0;
      // The time is the same in each run, because it is part of the event's identity.
      const at = new Date(Math.max(end - NOTICE_MS, Date.parse(agent.created_at))).toISOString();
      return newEvent("model.ending", at, `${agent.id} ${model.name}`, {
        agent_id: agent.id,
        model: model.name,
        ends_at: new Date(end).toISOString(),
        replaced_by: model.replaced_by,
        url: `/api/v1/agents/${agent.id}`,
      });
    });
}
