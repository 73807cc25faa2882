import type { Body } from "../../api/client.ts";
import { formatNumber } from "../../texts/format.ts";
import { board, limits as limitWords, modelField, overview as t } from "../../texts/index.ts";
import { isServed } from "../../ui/in-service.ts";
import { NEARLY_FULL } from "../../ui/nearly-full.ts";

export interface Item {
  tone: "bad" | "warn" | "info" | "idle";
  /** The name of the resource. */
  about: string;
  words: string;
  href: string;
  verb: string;
}

/** If more numbers are unchecked, they are summarized in one item. */
const MAX_UNCHECKED = 2;
const CAPS = ["concurrent_calls", "calls_per_minute", "calls_per_day"] as const;

export function pausedCampaigns(
  campaigns: Pick<Body<"Campaign">, "id" | "name" | "status" | "status_reason" | "counts">[],
): Item[] {
  const paused = campaigns.filter(({ status }) => status === "paused");
  const byItself = paused.filter(({ status_reason }) => status_reason !== null);
  const byHand = paused.filter(({ status_reason }) => status_reason === null);
  return [...byItself, ...byHand].map(({ id, name, status_reason, counts }) => {
    const because = status_reason === null ? t.paused : board.pausedBecause(status_reason);
    const words = counts.pending > 0 ? `${because} ${t.waiting(counts.pending)}` : because;
    const tone = status_reason === null ? "idle" : "warn";
    return { tone, about: name, words, href: `/campaigns/${id}`, verb: t.see.campaign };
  });
}

type Installable = Pick<
  Body<"Integration">,
  "id" | "display_name" | "status" | "ready" | "missing" | "asks_for" | "reason"
>;

/** Returns the installed integrations that can't be used yet. */
export function unreadyIntegrations(integrations: Installable[]): Item[] {
  return integrations
    .filter(({ status, ready }) => status === "installed" && !ready)
    .map(({ id, display_name, missing, asks_for, reason }) => {
      const fields = [...asks_for.params, ...asks_for.secrets];
      const labels = missing.map((name) => fields.find((field) => field.name === name)?.label ?? name);
      const words = labels.length > 0 ? t.notReady(labels.join(", ")) : t.notReadyReason(reason ?? "");
      return { tone: "warn", about: display_name, words, href: `/integrations/${id}`, verb: t.see.integration };
    });
}

/** Returns the numbers and widget keys whose agent isn't in service, and the agents that only need publishing. */
export function agentsOutOfService(
  { agents, numbers, keys }: { agents: Answering[]; numbers: Body<"PhoneNumber">[]; keys: Keyed[] },
  written: (e164: string) => string,
): Item[] {
  const see = (agentId: string | null) => ({ href: `/agents/${agentId}`, verb: t.see.agent });
  const ofNumbers = numbers.flatMap(({ e164, agent_id, inbound_enabled, in_service }): Item[] => {
    const phone = in_service?.phone;
    if (!inbound_enabled || !phone || isServed(phone)) return [];
    return [Object.assign({ tone: "bad" as const, about: written(e164), words: phone.message ?? "" }, see(agent_id))];
  });
  const ofKeys = keys.flatMap(({ name, agent_id, disabled_at, in_service }): Item[] => {
    const widget = in_service?.widget;
    if (disabled_at !== null || !widget || isServed(widget)) return [];
    return [Object.assign({ tone: "bad" as const, about: name, words: widget.message ?? "" }, see(agent_id))];
  });
  const isNamed = (href: string) => [...ofNumbers, ...ofKeys].some((item) => item.href === href);
  const ofAgents = agents.flatMap(({ id, name, status, in_service }): Item[] => {
    const { reason, message } = in_service.campaigns;
    if (status !== "active" || reason !== "not_published" || isNamed(see(id).href)) return [];
    return [Object.assign({ tone: "warn" as const, about: name, words: message ?? "" }, see(id))];
  });
  return [...ofNumbers, ...ofKeys, ...ofAgents];
}

type Answering = Pick<Body<"Agent">, "id" | "name" | "status" | "in_service">;
type Keyed = Pick<Body<"WidgetKey">, "name" | "agent_id" | "disabled_at" | "in_service">;

/** Returns the numbers that failed their last check, and real numbers that were never checked. */
export function doubtfulNumbers(numbers: Body<"PhoneNumber">[], written: (e164: string) => string): Item[] {
  const failed = numbers.flatMap(({ id, e164, last_check }): Item[] => {
    if (!last_check || last_check.ok) return [];
    const what = last_check.failed.map((check) => t.checks[check]).join(", ");
    return [
      { tone: "bad", about: written(e164), words: t.checkFailed(what), href: `/numbers/${id}`, verb: t.see.number },
    ];
  });
  // Sandbox numbers need no check.
  const unchecked = numbers.filter(({ last_check, provider }) => last_check === null && provider !== "sandbox");
  if (unchecked.length > MAX_UNCHECKED) {
    const words = t.uncheckedMany(unchecked.length);
    return [...failed, { tone: "info", about: t.numbers, words, href: "/numbers", verb: t.see.numbers }];
  }
  const named = unchecked.map(({ id, e164 }): Item => {
    return { tone: "info", about: written(e164), words: t.unchecked, href: `/numbers/${id}`, verb: t.see.number };
  });
  return [...failed, ...named];
}

/** Time before a model ends at which it is shown, ms. */
const ENDING_MS = 30 * 86_400_000;
type Named = Pick<Body<"Agent">, "name" | "status" | "llm_model" | "fallback_model">;

/** Returns the models that end soon and the agents in use that name them. `now` is in ms. */
export function endingModels(models: Body<"LanguageModel">[], agents: Named[], now: number): Item[] {
  return models.flatMap(({ llm_model, label, ends_at, replaced_by }): Item[] => {
    const left = ends_at === null ? -1 : Date.parse(ends_at) - now;
    const named = agents.filter(
      (agent) => agent.status !== "archived" && [agent.llm_model, agent.fallback_model].includes(llm_model),
    );
    if (ends_at === null || left < 0 || left > ENDING_MS || named.length === 0) return [];
    const words = modelField.endsFor(named.map(({ name }) => name).join(", "), replaced_by ?? "", ends_at);
    return [{ tone: "warn", about: label, words, href: "/agents", verb: t.see.agents }];
  });
}

export function nearCaps(limits: Body<"CallLimits">): Item[] {
  return CAPS.flatMap((cap): Item[] => {
    const { used, limit } = limits[cap];
    if (limit === 0 || used / limit < NEARLY_FULL) return [];
    const isFull = used >= limit;
    const words = isFull ? t.capFull(formatNumber(limit)) : t.capNear(formatNumber(used), formatNumber(limit));
    return [
      { tone: isFull ? "bad" : "warn", about: limitWords.names[cap], words, href: "/limits", verb: t.see.limits },
    ];
  });
}
