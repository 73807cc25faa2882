import { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "../../kernel/http/context.ts";
import { idempotent, serve } from "../../kernel/http/serve.ts";
import { beginSession } from "./begin-session.ts";
import { createAgentSession } from "./contract.ts";

export const agentSessions = new OpenAPIHono<AppEnv>();

serve(
  agentSessions,
  createAgentSession,
  ({ env, store, principal, params, body, now, newId }) =>
    beginSession({ env, store, principal, now, newId }, params.id, body),
  idempotent("the key determines the session, and an unused token expires by itself"),
);
