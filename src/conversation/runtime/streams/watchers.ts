import type { Reader } from "../../../kernel/http/credential.ts";
import { notFound } from "../../../kernel/http/errors.ts";
import { EventHub, type EventSource, type StreamEvent } from "../../../kernel/streams/event-hub.ts";
import { OpenStreams } from "../../../kernel/streams/open-streams.ts";
import { conversationDetail } from "../../../records/conversations/conversation-schema.ts";
import { projectConversation } from "../../../records/conversations/projection.ts";
import type { LoggedEvent } from "../store/conversation-row.ts";
import type { ConversationStore } from "../store/conversation-store.ts";
import { shownDetail } from "./projection.ts";
import type { ShownLog } from "./shown-log.ts";

export interface WatcherDependencies {
  store: ConversationStore;
  shown: ShownLog;
  /** Checks whether readers still have access. */
  gate: ConstructorParameters<typeof OpenStreams>[0];
  /** The storage of the conversation. */
  storage: EventSource["storage"];
  report(error: unknown): void;
}

/** Streams a live conversation to its watchers as server-sent events, each from where it left off. */
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
        snapshot: () => ({
          seq: shown.lastN,
          data: conversationDetail.parse(projectConversation(shownDetail(store, shown))),
        }),
        storage,
      },
      // Redaction starts only with the first watcher, who also receives the earlier events.
      0,
      this.#streams,
    );
  }

  /** Opens a stream that begins with the events after `lastSeen`. @throws ApiError 404 if there is no conversation */
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

  /** Publishes new events if anyone is watching. */
  notify(): void {
    const { shown, report } = this.#deps;
    if (this.#hub.size > 0) this.#hub.publish(shown.lastN).catch(report);
  }

  /** Ends the streams after the end has been published. */
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

  /** Ends those of these streams that are open, because their readers have lost access. */
  revoke(ids: string[]): void {
    this.#streams.revoke(ids);
  }

  /** Closes all streams at once. */
  close(): void {
    this.#hub.close();
  }

  #streamed({ n, event }: LoggedEvent): StreamEvent {
    return { seq: n, event: event.type, data: { conversation_id: this.#deps.store.existing.id, ...event } };
  }
}
