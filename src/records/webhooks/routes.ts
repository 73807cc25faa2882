import { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";
import { webhookObject } from "../../kernel/durable/objects.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { openCursor, sealCursor } from "../../kernel/http/cursor.ts";
import { notFound } from "../../kernel/http/errors.ts";
import { idempotent, serve } from "../../kernel/http/serve.ts";
import * as contract from "./contract.ts";
import * as deliveryContract from "./deliveries-contract.ts";
import type { DeliveryRecord } from "./object/record.ts";
import { projectWebhooks } from "./projection.ts";
import * as verbs from "./verbs.ts";
import type { WebhookRow } from "./webhook-row.ts";

export const webhooks = new OpenAPIHono<AppEnv>();

async function projectWebhook({ env, store, now, principal }: verbs.WebhooksContext, row: WebhookRow) {
  const [projection] = await projectWebhooks({ env, account: store.account, now, reader: principal }, [row]);
  if (!projection) throw notFound("webhook");
  return projection;
}

serve(webhooks, contract.listWebhooks, async (context) => {
  const { env, store, now, principal } = context;
  const rows = await verbs.listOwn(context);
  return {
    webhooks: await projectWebhooks({ env, account: store.account, now, reader: principal }, rows),
    total: rows.length,
  };
});

serve(
  webhooks,
  contract.createWebhook,
  async (context) => {
    const { row, secret } = await verbs.createWebhook(context, Object.assign({ id: context.newId() }, context.body));
    return Object.assign(await projectWebhook(context, row), { secret });
  },
  async (context, id) => {
    const row = await verbs.findOwn(context, id).catch(() => null);
    return row && Object.assign(await projectWebhook(context, row), { secret: null });
  },
);

serve(webhooks, contract.getWebhook, async (context) => {
  return projectWebhook(context, await verbs.findOwn(context, context.params.id));
});

serve(webhooks, contract.updateWebhook, async (context) => {
  const { params, body, ifMatch } = context;
  const { row, secret } = await verbs.updateWebhook(context, params.id, body, ifMatch);
  return Object.assign(await projectWebhook(context, row), { secret });
});

serve(webhooks, contract.deleteWebhook, (context) => verbs.deleteWebhook(context, context.params.id));

serve(
  webhooks,
  contract.rotateSecret,
  (context) => verbs.rotateSecret(context, context.params.id),
  idempotent("another secret is created, and those of the last day also sign"),
);

serve(
  webhooks,
  deliveryContract.testWebhook,
  async (context) => {
    const { env, store } = context;
    const { id } = await verbs.findOwn(context, context.params.id);
    return (await webhookObject(env, store.account, id).sendTest()) as DeliveryRecord;
  },
  idempotent("another test gives the same result"),
);

const cursor = z.number();

serve(webhooks, deliveryContract.listDeliveries, async (context) => {
  const { env, store, query } = context;
  const { account } = store;
  const { id } = await verbs.findOwn(context, context.params.id);
  const { status = null, type = null, since, after, limit } = query;
  const list = { account, list: `/api/v1/webhooks/${id}/deliveries` };
  const before = after === undefined ? Number.MAX_SAFE_INTEGER : await openCursor(env, list, after, cursor);
  const from = since === undefined ? null : Date.parse(since);
  const page = await webhookObject(env, account, id).list({ status, type, since: from, before, limit });
  const { deliveries, next } = page as { deliveries: DeliveryRecord[]; next: number | null };
  return { deliveries, next: next === null ? null : await sealCursor(env, list, next) };
});

serve(
  webhooks,
  deliveryContract.resendDelivery,
  async (context) => {
    const { env, store, params } = context;
    const { id } = await verbs.findOwn(context, params.id);
    return (await webhookObject(env, store.account, id).resend(params.deliveryId.toLowerCase())) as DeliveryRecord;
  },
  idempotent("receivers recognize an event by its id, and a delivery in progress is not sent again"),
);

serve(
  webhooks,
  deliveryContract.resendFailed,
  async (context) => {
    const { env, store, params, body } = context;
    const { id } = await verbs.findOwn(context, params.id);
    return { deliveries: await webhookObject(env, store.account, id).resendFailed(Date.parse(body.since)) };
  },
  idempotent("a delivery that is being resent no longer counts as failed, so it is resent once"),
);
