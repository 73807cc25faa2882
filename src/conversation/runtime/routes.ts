import { OpenAPIHono } from "@hono/zod-openapi";
import { conversationObject } from "../../kernel/durable/objects.ts";
import type { AppEnv, Bindings, OwnRuntime } from "../../kernel/http/context.ts";
import { ApiError } from "../../kernel/http/errors.ts";
import { serve } from "../../kernel/http/serve.ts";
import { openStore } from "../../kernel/http/stores.ts";
import { hangUpCall } from "../../phone/calls/hang-up.ts";
import { forPages } from "../widget/cors.ts";
import * as contract from "./contract.ts";
import { openSignedSocket, openSocket } from "./open-socket.ts";
import { speech } from "./speech/contract.ts";
import { speakPart } from "./speech/speak-part.ts";

export const runtimeRoutes = new OpenAPIHono<AppEnv>();

serve(runtimeRoutes, contract.getSession, ({ env, runtime }) => conversationOf(env, runtime).session(runtime));

serve(runtimeRoutes, contract.postEvents, async ({ env, runtime, body: { events } }) => {
  if (events.length > contract.MAX_EVENTS)
    throw new ApiError(413, "too_many_events", `a request can have at most ${contract.MAX_EVENTS} events`);
  return { accepted_through: await conversationOf(env, runtime).takeEvents(runtime, events) };
});

serve(runtimeRoutes, contract.useSessionTool, ({ env, runtime, params, body }) =>
  conversationOf(env, runtime).useTool(runtime, params.name, body.tool_call_id ?? null, body.arguments),
);

serve(runtimeRoutes, contract.hangUpSession, async ({ c, env, runtime, now }) => {
  const { session } = runtime;
  const conversation = conversationOf(env, runtime);
  await conversation.mayHangUp(runtime);
  if (session.kind === "call") {
    const author = { actor: `runtime:${session.call_id}`, request_id: c.get("requestId") };
    await hangUpCall(
      { env, store: openStore(c, session.account, author), now },
      { id: session.call_id, campaignId: session.campaign_id },
    );
  }
  await conversation.end("hangup");
});

serve(runtimeRoutes, contract.transferSession, async ({ c, env, runtime, body: { to_number } }) => {
  await conversationOf(env, runtime).transfer(runtime, to_number, c.get("requestId"));
  return { to_number };
});

runtimeRoutes.use("/api/v1/widget/speech/*", forPages);
serve(runtimeRoutes, speech, ({ c, params }) => speakPart(c, params.ticket));

// For carriers and participants. The token determines the conversation and which frames are accepted.
runtimeRoutes.get("/runtime", openSocket);
runtimeRoutes.get("/runtime/:provider/:account/:credentials/:call", openSignedSocket);

function conversationOf(env: Bindings, { session: { account, key } }: OwnRuntime) {
  return conversationObject(env, account, key);
}
