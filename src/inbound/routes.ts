import { OpenAPIHono } from "@hono/zod-openapi";
import { documentResponse, providerNamed, readWebhook } from "../calls/webhook.ts";
import type { AppEnv } from "../http/context.ts";
import { serve } from "../http/endpoint.ts";
import { notFound } from "../http/errors.ts";
import { ACCOUNT_NAME } from "../secrets/api-key.ts";
import { answerCall } from "./answer-call.ts";
import { inboundCall } from "./contract.ts";

export const inbound = new OpenAPIHono<AppEnv>();

serve(inbound, inboundCall, async ({ c, env, params, now }) => {
  const { account } = params;
  const provider = providerNamed(params.provider);
  if (!ACCOUNT_NAME.test(account)) throw notFound("account");
  const author = { actor: `carrier:${provider}`, request_id: c.get("requestId") };
  const store = c.get("openStore")(account, author);
  const context = { env, store, origin: new URL(c.req.url).origin, now };
  const document = await answerCall(context, provider, await readWebhook(env, c.req.raw));
  return document ? documentResponse(document) : c.body(null, 204);
});
