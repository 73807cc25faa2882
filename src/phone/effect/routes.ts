import { OpenAPIHono } from "@hono/zod-openapi";
import { eq } from "drizzle-orm";
import { VOICE_PROVIDERS } from "../../agent/voices/vendors.ts";
import { voiceInstall, voiceInstalls } from "../../agent/voices/voice-keys.ts";
import { agents } from "../../kernel/db/schema/index.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { notFound } from "../../kernel/http/errors.ts";
import { serve } from "../../kernel/http/serve.ts";
import { getAgentEffect } from "./contract.ts";
import { effectOf, speakerOn } from "./effect.ts";

export const effect = new OpenAPIHono<AppEnv>();

serve(effect, getAgentEffect, async ({ env, store, params, query }) => {
  const [agent, installs] = await store.read(
    store.first(agents, { where: eq(agents.id, params.id) }),
    voiceInstalls(store),
  );
  if (!agent) throw notFound("agent");
  const vendor = VOICE_PROVIDERS.find((name) => name === agent.voice_provider);
  const isVendorReady = vendor !== undefined && "install" in voiceInstall(vendor, installs);
  return { settings: effectOf(agent, speakerOn(env, query.channel), isVendorReady) };
});
