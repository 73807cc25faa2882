import { and, eq } from "drizzle-orm";
import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import type { AccountStore } from "../../../kernel/db/account-store.ts";
import { all } from "../../../kernel/db/conditions.ts";
import { objectGauges, webhooks } from "../../../kernel/db/schema/index.ts";
import { accountStore } from "../../../kernel/durable/account-stores.ts";
import { GaugePush } from "../../../kernel/durable/gauge-push.ts";
import { ObjectFrame } from "../../../kernel/durable/object-frame.ts";
import { accountEvents, webhookOf } from "../../../kernel/durable/objects.ts";
import { Outbox, type Owed } from "../../../kernel/durable/outbox.ts";
import { egressRules } from "../../../kernel/egress/address.ts";
import { EgressRefused } from "../../../kernel/egress/open-out.ts";
import { sendOut } from "../../../kernel/egress/send-out.ts";
import { conflict, notFound, tooMany } from "../../../kernel/http/errors.ts";
import { logError } from "../../../kernel/log.ts";
import { ObservedObject } from "../../../kernel/observing/observed-object.ts";
import { SECOND_MS } from "../../../kernel/time.ts";
import type { EventsOfPerson, EventsSwept } from "../../events/erasure.ts";
import type { NewEvent } from "../../events/event.ts";
import type { Followed, NotifiedWebhook } from "../../events/followers.ts";
import { TEST_TYPE, testMessage } from "../message.ts";
import { openSecrets, signedHeaders } from "../secrets.ts";
import { Deliveries, type Delivery, type DeliveryQuery } from "./deliveries.ts";
import { Endpoint, type EndpointState } from "./endpoint.ts";
import { sweepDeliveries } from "./erasure.ts";
import { WEBHOOK_MIGRATIONS } from "./migrations.ts";
import { Reader } from "./reader.ts";
import { type DeliveryRecord, recordOf } from "./record.ts";
import { type Owes, Results } from "./results.ts";
import { Sender, type Sent } from "./sender.ts";

/** The time limit of a response (ms), and how much of the response is kept (bytes). */
const TIMEOUT_MS = 15 * SECOND_MS;
const RESPONSE_BYTES = 1_024;

export type WebhookState = Pick<
  EndpointState,
  "cursor" | "missed" | "last_delivery_at" | "failing_since" | "disabled_reason"
>;

const disabling = z.object({ reason: z.enum(["gone", "failing"]), beginning: z.number() });

/**
 * The object of a webhook, named by account and id. It sends the account's events to one address and stores the
 * results.
 */
export class Webhook extends ObservedObject<Env> implements NotifiedWebhook {
  readonly #of = webhookOf(this.ctx);
  readonly #report = (error: unknown, context?: { part: string }): void =>
    logError("webhook", error, Object.assign({ webhook: this.#of.id }, context));
  protected override readonly frame = new ObjectFrame({
    state: this.ctx,
    migrations: WEBHOOK_MIGRATIONS,
    build: (sql) => this.#build(sql),
    parts: ({ sender, outbox, gauges }) => ({ sender, outbox, gauges }),
    report: this.#report,
  });

  #build(sql: SqlStorage) {
    const { account, id } = this.#of;
    const { storage } = this.ctx;
    const endpoint = new Endpoint(sql);
    const deliveries = new Deliveries(sql);
    const outbox = new Outbox<Owes>({
      sql,
      deliver: { events: (rows) => this.#emit(rows), configuration: (rows) => this.#noteDisabled(rows) },
    });
    const results = new Results({ storage, id, endpoint, deliveries, outbox, random: Math.random });
    const follow = async (following: Parameters<ReturnType<typeof accountEvents>["follow"]>[0]) =>
      (await accountEvents(this.env, account).follow(following)) as Followed;
    const reader = new Reader({ storage, account, id, endpoint, deliveries, outbox, follow });
    const sender = new Sender({
      endpoint,
      deliveries,
      reader,
      results,
      send: (delivery) => this.#send(delivery),
      clock: Date.now,
      report: this.#report,
    });
    return { endpoint, deliveries, sender, outbox, gauges: this.#gauges(endpoint, deliveries, outbox) };
  }

  #gauges(endpoint: Endpoint, deliveries: Deliveries, outbox: Outbox<Owes>): GaugePush {
    const { storage } = this.ctx;
    return new GaugePush({
      storage,
      object: this.#gaugesName,
      kind: "webhook",
      store: this.#store,
      isBusy: () => deliveries.hasPending(1),
      read: () => {
        const { rows, since } = deliveries.backlog;
        const { known: lastSequence = 0, cursor = null } = endpoint.state ?? {};
        return {
          storage_bytes: storage.sql.databaseSize,
          // Includes the unread part of the sequence, in which the webhook may not want every event.
          outbox_rows: rows + (cursor === null ? 0 : Math.max(0, lastSequence - cursor)),
          outbox_parked: outbox.backlog.parked,
          outbox_since: since,
          call_leases: 0,
          live_leases: 0,
        };
      },
      takeAlarmLag: () => this.frame.takeAlarmLag(),
      clock: Date.now,
    });
  }

  get #gaugesName(): string {
    return `webhook/${this.#of.id}`;
  }

  async reconfigure(): Promise<void> {
    const store = this.#store;
    const { life } = this.frame;
    const where = eq(webhooks.id, this.#of.id);
    const [row, accountStatus] = await store.read(store.first(webhooks, { where }), store.accountStatus());
    // A webhook that was deleted in the meantime must not start again.
    if (!row || life !== this.frame.life) return;
    const { revision, url, types, agent_ids, enabled, shows, secrets, begins_at, beginning, address_revision } = row;
    const isAccountOpen = accountStatus === "open";
    const configuration = {
      revision,
      url,
      types,
      agent_ids,
      enabled,
      shows,
      secrets,
      begins_at,
      beginning,
      address_revision,
      isAccountOpen,
    };
    const { endpoint, deliveries, sender } = this.frame.open();
    this.ctx.storage.transactionSync(() => {
      const current = endpoint.state?.configuration;
      if (current && current.revision > revision) return;
      const beginsAnew = current !== undefined && current.beginning < beginning;
      endpoint.configure(configuration, beginsAnew);
      if (beginsAnew || !enabled) deliveries.endPending();
    });
    sender.wake();
    await this.frame.arm();
  }

  async notify(last: number): Promise<void> {
    const parts = this.frame.existing;
    if (!parts) return;
    parts.endpoint.noteLast(last);
    parts.sender.wake();
    await this.frame.arm();
  }

  async remove(): Promise<void> {
    await this.frame.existing?.outbox.drain("events");
    const store = this.#store;
    await store.record(store.delete(objectGauges, eq(objectGauges.object, this.#gaugesName)));
    await this.frame.empty();
  }

  /** Returns the webhook's state; null until it has its configuration. */
  async state(): Promise<WebhookState | null> {
    const state = this.frame.existing?.endpoint.state ?? null;
    if (state === null) return null;
    const { cursor, missed, last_delivery_at, failing_since, disabled_reason } = state;
    return { cursor, missed, last_delivery_at, failing_since, disabled_reason };
  }

  async list(query: DeliveryQuery): Promise<{ deliveries: DeliveryRecord[]; next: number | null }> {
    const parts = this.frame.existing;
    if (!parts) return { deliveries: [], next: null };
    const deliveries = parts.deliveries;
    const holdUntil = parts.endpoint.state?.hold_until ?? 0;
    const rows = deliveries.list({ ...query, limit: query.limit + 1 });
    const page = rows.slice(0, query.limit);
    const attempts = deliveries.attempts(page);
    return {
      deliveries: page.map((row) => recordOf(row, attempts.get(row.n) ?? [], holdUntil)),
      next: rows.length > query.limit ? (page.at(-1)?.n ?? null) : null,
    };
  }

  /** Sends a test event and waits for its result. @throws ApiError 404, 429 */
  async sendTest(): Promise<DeliveryRecord> {
    if (!this.frame.existing?.endpoint.state) await this.reconfigure();
    const { endpoint, deliveries, sender } = this.frame.open();
    const { state } = endpoint;
    if (state === null) throw notFound("webhook");
    if (sender.isTesting)
      throw tooMany(
        "test_under_way",
        "two tests of this webhook are in progress: wait until one has ended",
        TIMEOUT_MS,
      );
    const now = Date.now();
    const event_id = uuidv7({ msecs: now });
    const body = testMessage(event_id, this.#of.account, this.#of.id, now);
    const { address_revision } = state.configuration;
    const test = { id: uuidv7({ msecs: now }), event_id, type: TEST_TYPE, body, address_revision, created_at: now };
    const delivery = deliveries.add(test, null, now);
    await sender.sendTest(delivery);
    await this.frame.arm();
    return this.#record(delivery.n);
  }

  /** Sends a delivery again. @throws ApiError 404, 409 */
  async resend(deliveryId: string): Promise<DeliveryRecord> {
    const { state, deliveries } = this.#resendable();
    const delivery = deliveries.findById(deliveryId);
    if (delivery === null) throw notFound("delivery");
    if (delivery.address_revision !== state.configuration.address_revision)
      throw conflict("other_address", "the delivery was for an earlier URL of the webhook, so it cannot be resent");
    deliveries.resend(delivery.n, Date.now());
    await this.#goOn();
    return this.#record(delivery.n);
  }

  /** Resends the deliveries that failed since a time (ms), and returns how many. @throws ApiError 409 */
  async resendFailed(since: number): Promise<number> {
    const { state, deliveries } = this.#resendable();
    const count = deliveries.resendFailed(since, state.configuration.address_revision, TEST_TYPE, Date.now());
    await this.#goOn();
    return count;
  }

  async sweepPerson(person: EventsOfPerson, after: number, limit: number): Promise<EventsSwept> {
    return this.frame.existing ? sweepDeliveries(this.ctx.storage, person, after, limit) : { masked: 0, next: null };
  }

  #resendable(): { state: EndpointState; deliveries: Deliveries } {
    const parts = this.frame.existing;
    const state = parts?.endpoint.state ?? null;
    if (!parts || state === null) throw notFound("delivery");
    if (!state.isEnabled) throw conflict("webhook_disabled", "the webhook is disabled: enable it first");
    return { state, deliveries: parts.deliveries };
  }

  async #goOn(): Promise<void> {
    this.frame.open().sender.wake();
    await this.frame.arm();
  }

  #record(n: number): DeliveryRecord {
    const { deliveries, endpoint } = this.frame.open();
    const row = deliveries.find(n);
    if (row === null) throw notFound("delivery");
    return recordOf(row, deliveries.attempts([row]).get(n) ?? [], endpoint.state?.hold_until ?? 0);
  }

  async #send({ event_id: id, body }: Pick<Delivery, "event_id" | "body">): Promise<Sent> {
    const configuration = this.frame.open().endpoint.state?.configuration;
    if (!configuration) return { outcome: "unanswered", response: null, reason: "the webhook has no address" };
    const secrets = await openSecrets(this.env, this.#of.account, this.#of.id, configuration.secrets);
    const headers = signedHeaders(secrets, { id, body }, Date.now());
    const limits = { rules: egressRules(this.env), fetch, timeout_ms: TIMEOUT_MS, max_bytes: RESPONSE_BYTES };
    try {
      const { status, retry_after, text } = await sendOut({ url: configuration.url, headers, body }, limits);
      return { outcome: { status, retry_after }, response: text, reason: null };
    } catch (error) {
      if (!(error instanceof EgressRefused)) throw error;
      return { outcome: "unanswered", response: null, reason: error.message };
    }
  }

  async #emit(rows: Owed[]): Promise<void> {
    await accountEvents(this.env, this.#of.account).take(rows.map(({ body }) => JSON.parse(body) as NewEvent));
  }

  /** Writes to D1 that the webhook has disabled itself, unless it was started over in the meantime. */
  async #noteDisabled(rows: Owed[]): Promise<void> {
    const store = this.#store;
    for (const { body } of rows) {
      const { reason, beginning } = disabling.parse(JSON.parse(body));
      const isMeant = all(
        eq(webhooks.id, this.#of.id),
        and(eq(webhooks.beginning, beginning), eq(webhooks.enabled, true)),
      );
      const set = { enabled: false, disabled_reason: reason, updated_at: new Date().toISOString() };
      const entry = { action: "disable", resource: "webhook", resource_id: this.#of.id } as const;
      await store.write(entry, store.revise(webhooks, set, isMeant, null));
    }
  }

  get #store(): AccountStore {
    return accountStore(this.env, this.#of.account, { actor: "system:webhooks", request_id: "" });
  }
}
