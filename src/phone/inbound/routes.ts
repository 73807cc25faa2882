import { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "../../kernel/http/context.ts";
import { idempotent, serve } from "../../kernel/http/serve.ts";
import { openStore } from "../../kernel/http/stores.ts";
import { documentResponse, genuine, providerNamed, readable } from "../calls/webhook.ts";
import { answerCall } from "./answer-call.ts";
import { callSandbox } from "./call-sandbox.ts";
import { callSandboxNumber, inboundCall } from "./contract.ts";
import { verifyWebhook } from "./verify-webhook.ts";

export const inbound = new OpenAPIHono<AppEnv>();

serve(inbound, inboundCall, async ({ c, env, params, query, now }) => {
  const { account } = params;
  const provider = providerNamed(params.provider);
  const author = { actor: `carrier:${provider}`, request_id: c.get("requestId") };
  const store = openStore(c, account, author);
  const { credentials = null } = query;
  const verified = await genuine(c, { provider, account }, (webhook) =>
    readable(() => verifyWebhook(env, store, provider, credentials, webhook)),
  );
  const document = await answerCall({ env, store, now }, provider, verified);
  return document ? documentResponse(document) : c.body(null, 204);
});

serve(
  inbound,
  callSandboxNumber,
  ({ env, store, body, now, newId }) => callSandbox({ env, store, now, newId }, body),
  idempotent("the key determines the call's id at the sandbox, and each call is announced once"),
);
