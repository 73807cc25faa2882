import type { agents, Disclosure } from "../../kernel/db/schema/index.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { builtIn } from "../../kernel/rendering/built-in.ts";
import { render } from "../../kernel/rendering/render.ts";
import { type Variable, valuesOf } from "../../kernel/rendering/variables.ts";
import type { MachineMessage, Provider } from "../carriers/carrier.ts";
import { speaksText } from "../carriers/no-runtime.ts";
import { messageUrl, type WebhookCall, webhookUrl } from "./webhook-url.ts";

/** The agent's fields that its message depends on. */
export const MESSAGE_COLUMNS = ["name", "greeting_message", "voicemail_message", "timezone"] as const;
type MessagingAgent = Pick<typeof agents.$inferSelect, (typeof MESSAGE_COLUMNS)[number]>;

/** A call that a machine answered, and who would have talked on it. */
export interface MachineCall extends WebhookCall {
  provider: Provider;
  from_number: string;
  to_number: string;
  /** Undefined where the agent is gone. */
  agent: MessagingAgent | undefined;
  /** The campaign's own message; "" for the agent's. */
  voicemail_message: string;
  /** What the message begins with; null for nothing. */
  disclosure: Disclosure | null;
  account_name: string;
  variables: Variable[];
  timezone: string;
}

/** Returns the text to leave for machines, with its placeholders: the campaign's, else the agent's, else its greeting. */
export function messageTemplate(agent: MessagingAgent | undefined, ofCampaign: string): string {
  const choices = [ofCampaign, agent?.voicemail_message ?? "", agent?.greeting_message ?? ""];
  return choices.find((text) => text.trim() !== "") ?? "";
}

/**
 * Returns the message for a machine that answered a call, rendered for the call; its text is "" if there is none. `now`
 * in ms. @throws ApiError 503 if the service has no address
 */
export async function machineMessage(
  env: Pick<Bindings, "PUBLIC_URL" | "SIGNING_KEYS" | "VOICE_RUNTIME_URL">,
  {
    provider,
    agent,
    voicemail_message,
    disclosure,
    account_name,
    variables,
    timezone,
    from_number,
    to_number,
    ...call
  }: MachineCall,
  now: number,
): Promise<MachineMessage> {
  const parties = { direction: "outbound" as const, from_number, to_number };
  const builtIns = builtIn({ agent_name: agent?.name ?? "", account_name, call: parties, timezone, now });
  const template = messageTemplate(agent, voicemail_message);
  const message = render(template, valuesOf([...variables, ...builtIns])).text.trim();
  const text = message === "" || disclosure === null ? message : `${disclosure.text} ${message}`;
  const instructions_url = messageUrl(await webhookUrl(env, provider, call));
  return { text, relay: speaksText(env, provider), instructions_url };
}
