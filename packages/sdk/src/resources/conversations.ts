import { Conversations as Operations } from "../operations.ts";
import type { FollowOptions, StreamEvent } from "../sse.ts";
import type { Schema } from "../types.ts";

/** What was said. */
export class Conversations extends Operations {
  /** A conversation as it is held; ends with it. */
  events(id: string, options?: FollowOptions): AsyncGenerator<StreamEvent<Schema<"ConversationStreamEvent">>, void> {
    return this.streamOf("/api/v1/conversations/{id}/events", { id }, undefined, options);
  }
}
