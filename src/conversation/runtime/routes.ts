import { OpenAPIHono } from "@hono/zod-openapi";
import { conversationObject } from "../../kernel/durable/objects.ts";
import type { AppEnv, Bindings, SessionIdentity } from "../../kernel/http/context.ts";
import { serve } from "../../kernel/http/endpoint.ts";
import { ApiError } from "../../kernel/http/errors.ts";
import { openStore } from "../../kernel/http/stores.ts";
import { hangUpCall } from "../../phone/calls/hang-up.ts";
import * as contract from "./contract.ts";
import { openSignedSocket, openSocket } from "./open-socket.ts";

export const runtime = new OpenAPIHono<AppEnv>();

serve(runtime, contract.getSession, ({ env, session }) => conversationOf(env, session).session(session));

serve(runtime, contract.postEvents, async ({ env, session, body: { events } }) => {
  if (events.length > contract.MAX_EVENTS)
    throw new ApiError(413, "too_many_events", `a request can have at most ${contract.MAX_EVENTS} events`);
  return { accepted_through: await conversationOf(env, session).takeEvents(session, events) };
});

serve(runtime, contract.useSessionTool, ({ env, session, params, body }) =>
  conversationOf(env, session).useTool(session, params.name, body.tool_call_id ?? null, body.arguments),
);

serve(runtime, contract.hangUpSession, async ({ c, env, session, now }) => {
  const conversation = conversationOf(env, session);
  await conversation.mayHangUp(session);
  if (session.kind === "call") {
    const author = { actor: `runtime:${session.call_id}`, request_id: c.get("requestId") };
    await hangUpCall(
      { env, store: openStore(c, session.account, author), now },
      { id: session.call_id, campaignId: session.campaign_id },
    );
  }
  await conversation.end("hangup");
});

serve(runtime, contract.transferSession, async ({ c, env, session, body: { to_number } }) => {
  await conversationOf(env, session).transfer(session, to_number, c.get("requestId"));
  return { to_number };
});

// A carrier or a widget that is to talk with the agent; the first frame says whose conversation it is.
runtime.get("/runtime", openSocket);
runtime.get("/runtime/:provider/:account/:credentials/:call", openSignedSocket);

function conversationOf(env: Bindings, { account, key }: SessionIdentity) {
  return conversationObject(env, account, key);
}
