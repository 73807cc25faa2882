import { OpenAPIHono } from "@hono/zod-openapi";
import { accountGate } from "../../kernel/durable/objects.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { notFound } from "../../kernel/http/errors.ts";
import { serve } from "../../kernel/http/serve.ts";
import { refreshSession } from "./console-session.ts";
import * as contract from "./session-contract.ts";

export const ownSessions = new OpenAPIHono<AppEnv>();

serve(ownSessions, contract.refreshSession, ({ c, body }) => refreshSession(c, body.refresh_token));

serve(ownSessions, contract.getSession, ({ principal: { account, subject, role, scopes } }) => {
  if (role === null) throw new Error("a console user without a role was admitted");
  return { account, user_id: subject, role, scopes: [...scopes] };
});

serve(ownSessions, contract.listSessions, async ({ env, principal: { account, subject, session } }) => {
  const sessions = await accountGate(env, account).ownSessions(subject);
  return {
    sessions: sessions.map(({ id, device, address, begunAt, seenAt }) => ({
      id,
      device,
      address,
      created_at: new Date(begunAt).toISOString(),
      last_seen_at: new Date(seenAt).toISOString(),
      current: id === session?.id,
    })),
    total: sessions.length,
  };
});

serve(ownSessions, contract.endSession, async ({ env, principal: { account, subject }, store, params: { id } }) => {
  if (!(await accountGate(env, account).endOwnSession(subject, id))) throw notFound("session");
  await store.note({ action: "end_session", resource: "session", resource_id: id });
});
