import type { agents, phoneNumbers } from "../../kernel/db/schema/index.ts";
import type { ChannelService, InService, OutOfService } from "../../kernel/http/in-service.ts";
import { outOfService } from "../../phone/calls/call-obstacles.ts";
import { type WidgetPolicy, whoMayChat } from "../visitors/settings.ts";

type AgentRow = typeof agents.$inferSelect;

/** The reason why calls through a carrier cannot be answered. */
export interface LineObstacle {
  reason: "no_runtime" | "no_model";
  message: string;
}

/** One of the account's numbers. `obstacle` says why its carrier cannot connect calls to the agent's model. */
export interface Line extends Pick<typeof phoneNumbers.$inferSelect, "inbound_enabled" | "outbound_enabled"> {
  /** Whether the number is assigned to this agent. */
  isPinned: boolean;
  obstacle: LineObstacle | null;
}

export interface InServiceFacts {
  /** The draft, except for the model: the lines' obstacles already take the model into account. */
  agent: Pick<AgentRow, "status" | "versioning" | "published_version" | "auth_mode">;
  lines: readonly Line[];
  policy: WidgetPolicy;
  /** The number of enabled widget keys that pages can use to reach the agent. */
  keys: number;
}

const READY: ChannelService = { ready: true, reason: null, message: null };
const out = (reason: OutOfService, message: string): ChannelService => ({ ready: false, reason, message });

/**
 * Decides where an agent is in service, with the same functions that admit calls and visitors, so that the two always
 * agree.
 */
export function inService({ agent, lines, policy, keys }: InServiceFacts): InService {
  return {
    phone: onThePhone(agent, lines),
    campaigns: inCampaigns(agent, lines),
    widget: inTheWidget(agent, policy, keys),
  };
}

function onThePhone(agent: InServiceFacts["agent"], lines: readonly Line[]): ChannelService {
  const byAgent = outOfService(agent, "inbound");
  if (byAgent === "agent_archived")
    return out("archived", "The agent is archived and answers no calls. Change its status.");
  if (byAgent === "not_published") return out(byAgent, `${UNPUBLISHED} and answers no calls. ${PUBLISH}`);
  if (byAgent === "agent_draft") return out("draft", "The agent is a draft and answers no calls. Put it into service.");
  const inbound = lines.filter(({ isPinned, inbound_enabled }) => isPinned && inbound_enabled);
  if (inbound.length === 0)
    return out("no_number", "No number with inbound calls leads to the agent. Assign it to a number.");
  return byLines(inbound);
}

function inCampaigns(agent: InServiceFacts["agent"], lines: readonly Line[]): ChannelService {
  const byAgent = outOfService(agent, "outbound");
  if (byAgent === "agent_archived")
    return out("archived", "The agent is archived and places no calls. Change its status.");
  if (byAgent !== null) return out("not_published", `${UNPUBLISHED} and places no calls. ${PUBLISH}`);
  const outbound = lines.filter(({ outbound_enabled }) => outbound_enabled);
  if (outbound.length === 0) return out("no_number", "The account has no number for outbound calls. Add a number.");
  return byLines(outbound);
}

function inTheWidget(agent: InServiceFacts["agent"], policy: WidgetPolicy, keys: number): ChannelService {
  // Draft agents answer visitors, so that a page can be tested before the agent takes calls.
  const byAgent = outOfService(agent, "outbound");
  if (byAgent === "agent_archived")
    return out("archived", "The agent is archived, so visitors aren't answered. Change its status.");
  if (byAgent !== null) return out("not_published", `${UNPUBLISHED}, so visitors aren't answered. ${PUBLISH}`);
  if (!policy.widget_enabled) return out("widget_disabled", "The agent's widget is off. Turn it on in its settings.");
  if (keys === 0)
    return out("no_key", "No enabled widget key with an allowed page leads to the agent. Create a widget key for it.");
  if (whoMayChat(policy, agent) === "anyone") return READY;
  if (policy.auth_mode === "public")
    return out(
      "sign_in_required",
      "The agent requires visitors to sign in, but its widget allows only guests. Change who may chat.",
    );
  return out("sign_in_required", "Guests are refused. Only visitors whom your server signs in are answered.");
}

const UNPUBLISHED = "The agent was never published";
const PUBLISH = "Publish it.";

/** Returns ready if at least one of these lines is ready, otherwise the obstacle of the first. */
function byLines(lines: readonly Line[]): ChannelService {
  const [first] = lines;
  if (!first?.obstacle || lines.some(({ obstacle }) => obstacle === null)) return READY;
  return out(first.obstacle.reason, first.obstacle.message);
}
