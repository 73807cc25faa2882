import type { Bindings } from "../../kernel/http/context.ts";
import { builtIn } from "../../kernel/rendering/built-in.ts";
import { render } from "../../kernel/rendering/render.ts";
import { type Variable, valuesOf } from "../../kernel/rendering/variables.ts";
import type { MachineMessage, Provider } from "../carriers/carrier.ts";
import { speaksText } from "../carriers/no-runtime.ts";
import { messageUrl, type WebhookCall, webhookUrl } from "./webhook-url.ts";

/** A call that a machine answered, and who would have talked on it. */
export interface MachineCall extends WebhookCall {
  provider: Provider;
  from_number: string;
  to_number: string;
  /** Undefined where the agent is gone. */
  agent: { name: string; greeting_message: string } | undefined;
  account_name: string;
  variables: Variable[];
  timezone: string;
}

/**
 * The message for a machine that answered a call: the agent's current greeting, rendered for the call; "" if there is
 * none. `now` in ms. @throws ApiError 503 if the service has no address
 */
export async function machineMessage(
  env: Pick<Bindings, "PUBLIC_URL" | "SIGNING_KEYS" | "VOICE_RUNTIME_URL">,
  { provider, agent, account_name, variables, timezone, from_number, to_number, ...call }: MachineCall,
  now: number,
): Promise<MachineMessage> {
  const parties = { direction: "outbound" as const, from_number, to_number };
  const builtIns = builtIn({ agent_name: agent?.name ?? "", account_name, call: parties, timezone, now });
  const { text } = render(agent?.greeting_message ?? "", valuesOf([...variables, ...builtIns]));
  const instructions_url = messageUrl(await webhookUrl(env, provider, call));
  return { text: text.trim(), relay: speaksText(env, provider), instructions_url };
}
