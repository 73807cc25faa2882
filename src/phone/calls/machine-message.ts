import { eq } from "drizzle-orm";
import { DEFAULT_LANGUAGE } from "../../agent/speech/language.ts";
import { inForce } from "../../agent/versions/in-force.ts";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { agents, type Disclosure } from "../../kernel/db/schema/index.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { builtIn } from "../../kernel/rendering/built-in.ts";
import { render } from "../../kernel/rendering/render.ts";
import { type Variable, valuesOf } from "../../kernel/rendering/variables.ts";
import { personZone, type ZoneSources } from "../../kernel/zones/person-zone.ts";
import type { MachineMessage, Provider } from "../carriers/carrier.ts";
import { speaksText } from "../carriers/no-runtime.ts";
import { firstTexts } from "../carriers/recorded.ts";
import { messageUrl, type WebhookCall, webhookUrl } from "./webhook-url.ts";

const MESSAGE_COLUMNS = ["name", "greeting_message", "voicemail_message", "timezone", "language"] as const;
type MessagingAgent = Pick<typeof agents.$inferSelect, (typeof MESSAGE_COLUMNS)[number]>;

/** A call that a machine answered, with the data of its agent. */
export interface MachineCall extends WebhookCall {
  provider: Provider;
  from_number: string;
  to_number: string;
  agent_id: string;
  /** The version to which its agent is pinned; null if it follows the one in force. */
  pinned_version: number | null;
  /** The campaign's own message; "" for the agent's. */
  voicemail_message: string;
  /** The disclosure before the message; null for none. */
  disclosure: Disclosure | null;
  variables: Variable[];
  /** Sources of the person's time zone besides their number, the agent and the account. */
  zones: Pick<ZoneSources, "contact" | "campaign">;
}

/**
 * Returns the text to leave for machines, with its placeholders: the campaign's, otherwise the agent's, otherwise its
 * greeting.
 */
export function messageTemplate(
  agent: Pick<MessagingAgent, "greeting_message" | "voicemail_message"> | undefined,
  ofCampaign: string,
): string {
  const choices = [ofCampaign, agent?.voicemail_message ?? "", agent?.greeting_message ?? ""];
  return choices.find((text) => text.trim() !== "") ?? "";
}

/**
 * Returns the message for a machine that answered a call, rendered for the call, in one D1 round trip. Its text is ""
 * if there is none. `now` is in ms. @throws ApiError 503 if the service has no address
 */
export async function machineMessage(
  { env, store, now }: { env: MessagingEnv; store: AccountStore; now: number },
  call: MachineCall,
): Promise<MachineMessage> {
  const { provider, agent_id, pinned_version, from_number, to_number, zones, disclosure } = call;
  const [agent, profile] = await store.read(
    inForce(store, eq(agents.id, agent_id), MESSAGE_COLUMNS, pinned_version),
    store.profile(),
  );
  const known = { number: to_number, agent: agent?.timezone ?? null, account: profile.timezone };
  const language = agent?.language ?? DEFAULT_LANGUAGE;
  const builtIns = builtIn({
    agent_name: agent?.name ?? "",
    account_name: profile.display_name,
    call: { direction: "outbound", from_number, to_number },
    timezone: personZone(Object.assign(known, zones)),
    language,
    now,
  });
  const values = valuesOf([...call.variables, ...builtIns]);
  const text = render(messageTemplate(agent, call.voicemail_message), values).text.trim();
  const [before = null] = firstTexts({ disclosure, recording: null, language });
  const instructions_url = messageUrl(await webhookUrl(env, provider, call));
  return { text, language, before, relay: speaksText(env, provider), instructions_url };
}

type MessagingEnv = Pick<Bindings, "PUBLIC_URL" | "SIGNING_KEYS" | "VOICE_RUNTIME_URL">;
