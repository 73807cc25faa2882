import { OpenAPIHono } from "@hono/zod-openapi";
import { eq } from "drizzle-orm";
import { agents } from "../../kernel/db/schema/index.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { notFound } from "../../kernel/http/errors.ts";
import { serve } from "../../kernel/http/serve.ts";
import { getAgentEffect } from "./contract.ts";
import { effectOf, speakerOn } from "./effect.ts";

export const effect = new OpenAPIHono<AppEnv>();

serve(effect, getAgentEffect, async ({ env, store, params, query }) => {
  const [agent] = await store.read(store.first(agents, { where: eq(agents.id, params.id) }));
  if (!agent) throw notFound("agent");
  return { settings: effectOf(agent, speakerOn(env, query.channel)) };
});
