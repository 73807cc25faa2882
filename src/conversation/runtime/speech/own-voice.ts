import { integrationNamed } from "../../../agent/integrations/fields.ts";
import { readinessOf } from "../../../agent/integrations/readiness.ts";
import { VOICE_PROVIDERS, type VoiceProvider } from "../../../agent/voices/vendors.ts";
import type { Install } from "../session/session-tools.ts";
import type { Session } from "../session/snapshot.ts";

/** The agent's own voice, and the account's install of its vendor, whose secrets are sealed. */
export interface OwnVoice {
  voice_provider: VoiceProvider;
  voice_id: string;
  install: Pick<Install, "account" | "id" | "secrets">;
}

/** Returns the agent's own voice if its vendor's integration is ready; null on calls, where the carrier speaks. */
export function ownVoice({ snapshot, installs }: Session): OwnVoice | null {
  if (snapshot.kind === "call") return null;
  const { voice_id } = snapshot.agent;
  const voice_provider = VOICE_PROVIDERS.find((name) => name === snapshot.agent.voice_provider);
  if (voice_provider === undefined) return null;
  const integration = integrationNamed(voice_provider);
  const install = integration && installs[integration.id];
  // An empty id means the browser's voice.
  if (!install || voice_id.trim() === "" || !readinessOf(integration, install).ready) return null;
  const { account, id, secrets } = install;
  return { voice_provider, voice_id, install: { account, id, secrets } };
}
