import { Conversations as Operations } from "../operations.ts";
import type { FollowOptions, StreamEvent } from "../sse.ts";
import type { Schema } from "../types.ts";

/** Conversations and what was said in them. */
export class Conversations extends Operations {
  /** Streams a live conversation until it ends. */
  events(id: string, options?: FollowOptions): AsyncGenerator<StreamEvent<Schema<"ConversationStreamEvent">>, void> {
    return this.streamOf("/api/v1/conversations/{id}/events", { id }, undefined, options);
  }
}
