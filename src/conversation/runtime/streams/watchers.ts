import { notFound } from "../../../kernel/http/errors.ts";
import type { Reader } from "../../../kernel/http/pass.ts";
import { EventHub, type EventSource, type StreamEvent } from "../../../kernel/streams/event-hub.ts";
import { OpenStreams } from "../../../kernel/streams/open-streams.ts";
import { conversationDetail } from "../../../records/conversations/conversation-schema.ts";
import { view } from "../../../records/conversations/view.ts";
import type { LoggedEvent } from "../store/conversation-row.ts";
import type { ConversationStore } from "../store/conversation-store.ts";
import type { ShownLog } from "./shown-log.ts";
import { shownDetail } from "./view.ts";

export interface WatcherDependencies {
  store: ConversationStore;
  shown: ShownLog;
  /** The account's say over who may read on. */
  gate: ConstructorParameters<typeof OpenStreams>[0];
  /** The storage of the conversation. */
  storage: EventSource["storage"];
  report(error: unknown): void;
}

/** The watchers of a live conversation: its events as server-sent events, from wherever each watcher left off. */
export class Watchers {
  readonly #deps: WatcherDependencies;
  readonly #streams: OpenStreams;
  readonly #hub: EventHub;

  constructor(deps: WatcherDependencies) {
    this.#deps = deps;
    const { store, shown, gate, storage, report } = deps;
    this.#streams = new OpenStreams(gate, (ids) => this.#hub.end(ids), report);
    this.#hub = new EventHub(
      {
        after: (n, limit) => shown.after(n, limit).map((one) => this.#streamed(one)),
        snapshot: () => ({ seq: shown.lastN, data: conversationDetail.parse(view(shownDetail(store, shown))) }),
        storage,
      },
      // Nothing is redacted before somebody watches: then what was written is published.
      0,
      this.#streams,
    );
  }

  /** A stream of what happens, those events after `lastSeen` first. @throws ApiError 404 where there is no conversation */
  async open(lastSeen: number | null, reader: Reader): Promise<ReadableStream<Uint8Array>> {
    const { store } = this.#deps;
    const requireConversation = () => {
      if (store.row === null) throw notFound("conversation");
    };
    requireConversation();
    const id = await this.#streams.enter(reader);
    if (store.row === null) this.#streams.left(id);
    requireConversation();
    const stream = this.#hub.open(lastSeen, id);
    if (store.existing.ended_at !== null) this.end();
    else this.notify();
    return stream;
  }

  /** Publishes what has been written since, if anybody watches. */
  notify(): void {
    const { shown, report } = this.#deps;
    if (this.#hub.size > 0) this.#hub.publish(shown.lastN).catch(report);
  }

  /** Ends the streams once the end has been published to them. */
  end(): void {
    const { store, shown, report } = this.#deps;
    if (this.#hub.size === 0) return;
    const { id } = store.existing;
    this.#hub
      .publish(shown.lastN)
      .then(() => {
        // A visitor's next conversation may have begun.
        if (store.row === null || store.row.id === id) this.#hub.close();
      })
      .catch(report);
  }

  /** Ends those of these streams that are open: their readers may not read on. */
  revoke(ids: string[]): void {
    this.#streams.revoke(ids);
  }

  /** Lets them go at once. */
  close(): void {
    this.#hub.close();
  }

  #streamed({ n, event }: LoggedEvent): StreamEvent {
    return { seq: n, event: event.type, data: { conversation_id: this.#deps.store.existing.id, ...event } };
  }
}
