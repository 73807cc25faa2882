import { CopiedObject } from "../../kernel/backup/copied-object.ts";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { privacySettings, webhooks } from "../../kernel/db/schema/index.ts";
import { accountStore } from "../../kernel/durable/account-stores.ts";
import { ObjectFrame } from "../../kernel/durable/object-frame.ts";
import { accountOf, webhookObject } from "../../kernel/durable/objects.ts";
import { baseOf, knowsItsAddress } from "../../kernel/http/base-url.ts";
import type { Reader } from "../../kernel/http/credential.ts";
import { unavailable } from "../../kernel/http/errors.ts";
import { logError } from "../../kernel/log.ts";
import { EventHub } from "../../kernel/streams/event-hub.ts";
import { OpenStreams } from "../../kernel/streams/open-streams.ts";
import { streamGate } from "../../kernel/streams/stream-gate.ts";
import { MINUTE_MS } from "../../kernel/time.ts";
import { EVENTS } from "../stores.ts";
import { type EventsOfPerson, type EventsSwept, sweepEvents } from "./erasure.ts";
import type { NewEvent } from "./event.ts";
import { EventLog, MOST_DAYS } from "./event-log.ts";
import { type EventPage, eventPage, type PageQuery, sequenceOfLast } from "./event-page.ts";
import { eventSource } from "./event-source.ts";
import { type Followed, Followers, type Following, follow, stampOf } from "./followers.ts";
import { type EventType, unknownType } from "./types.ts";

/** The events of an account in one sequence, as other objects report them. It serves the list and the streams. */
export class AccountEvents extends CopiedObject<Env> {
  readonly #account = accountOf(this.ctx);
  readonly #report = (error: unknown, context?: { part: string }): void => logError("events", error, context);
  protected override readonly store = EVENTS;
  protected override readonly frame = new ObjectFrame({
    state: this.ctx,
    migrations: EVENTS.migrations,
    build: (sql) => {
      const log = new EventLog({ storage: this.ctx.storage, keptDays: () => this.#keptDays() });
      const followers = new Followers({
        sql,
        log,
        webhook: (id) => webhookObject(this.env, this.#account, id),
        report: this.#report,
      });
      return { log, followers };
    },
    parts: ({ log, followers }) => ({ log, followers }),
    report: this.#report,
  });
  readonly #streams: OpenStreams = new OpenStreams(
    streamGate(this.env, this.#account, { type: "events", id: this.#account }),
    (ids) => this.#hub?.end(ids),
    this.#report,
  );
  /** Null until the first stream opens. */
  #hub: EventHub | null = null;

  /**
   * Stores events, each id once. Events are durable when this resolves, and not visible before that.
   * @throws ApiError 503 if only another release knows a type; the sender keeps the events until that release runs
   */
  async take(events: NewEvent[]): Promise<void> {
    const foreign = unknownType(events.map(({ type }) => type));
    if (foreign !== undefined)
      throw unavailable("unknown_type", `events ${foreign} are unknown to this release`, MINUTE_MS);
    const { log } = this.frame.open();
    const base = this.#base;
    log.take(
      events.map((event) => withAddress(event, base)),
      Date.now(),
    );
    this.#hub?.publish(log.last).catch(this.#report);
    await this.frame.arm();
  }

  /** Returns a page of events. @throws ApiError 400 if it begins at an unknown event, or after one that was pruned */
  async list(query: PageQuery): Promise<EventPage> {
    return eventPage(this.frame.existing?.log ?? null, query, Date.now());
  }

  /**
   * Streams events of these types (null for all) as they happen, after replaying those that follow the event
   * `lastSeen`.
   * @throws ApiError 400 if `lastSeen` is not an event to continue from, 429
   */
  async stream(
    types: EventType[] | null,
    lastSeen: string | null,
    reader: Reader,
  ): Promise<ReadableStream<Uint8Array>> {
    const { log } = this.frame.open();
    this.#hub ??= new EventHub(eventSource(log, this.ctx.storage), log.last, this.#streams);
    const hub = this.#hub;
    const from = lastSeen === null ? null : sequenceOfLast(log, lastSeen, Date.now());
    const id = await this.#streams.enter(reader);
    return hub.open(from, id, types);
  }

  /** Returns the next events for a webhook, and where the sequence ends. */
  async follow(following: Following): Promise<Followed> {
    return follow(this.frame.open().log, following);
  }

  /** Returns the sequence number of the last event; 0 if there is none. */
  async last(): Promise<number> {
    return this.frame.existing?.log.last ?? 0;
  }

  /** Notifies the webhooks that were created, changed or deleted; a failed notification is retried. */
  async webhooksChanged(): Promise<void> {
    const store = this.#store;
    const [rows, accountStatus] = await store.read(
      store.select(webhooks, { columns: ["id", "revision", "secrets", "enabled"] }),
      store.accountStatus(),
    );
    const isOpen = accountStatus === "open";
    if (rows.length === 0 && this.frame.existing === null) return;
    const { followers } = this.frame.open();
    followers.listed(
      rows.map(({ id, revision, secrets, enabled }) => ({ id, stamp: stampOf(revision, secrets, isOpen), enabled })),
    );
    try {
      await followers.run(Date.now());
    } finally {
      await this.frame.arm();
    }
  }

  async retentionChanged(): Promise<void> {
    this.frame.existing?.log.retentionChanged();
    await this.frame.arm();
  }

  async sweepPerson(person: EventsOfPerson, after: number, limit: number): Promise<EventsSwept> {
    return this.frame.existing ? sweepEvents(this.ctx.storage, person, after, limit) : { masked: 0, next: null };
  }

  /** Ends these streams, because the meter no longer allows their readers. */
  async revoke(ids: string[]): Promise<void> {
    this.#streams.revoke(ids);
  }

  async #keptDays(): Promise<number> {
    const store = this.#store;
    const [settings] = await store.read(store.first(privacySettings, { columns: ["events_days"] }));
    return settings?.events_days ?? MOST_DAYS;
  }

  get #store(): AccountStore {
    return accountStore(this.env, this.#account, { actor: "system:events", request_id: "" });
  }

  get #base(): string | null {
    return knowsItsAddress(this.env) ? baseOf(this.env) : null;
  }
}

/** Makes the URLs in an event's data absolute, if the service knows its own address. */
function withAddress(event: NewEvent, base: string | null): NewEvent {
  const { url } = event.data;
  if (base === null || !url.startsWith("/")) return event;
  const data = Object.assign({}, event.data, { url: base + url });
  if ("transcript_url" in data && data.transcript_url) data.transcript_url = base + data.transcript_url;
  return Object.assign({}, event, { data });
}
