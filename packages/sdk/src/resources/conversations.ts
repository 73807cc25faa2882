import type { List } from "../pages.ts";
import { Resource, withParams } from "../resource.ts";
import type { FollowOptions, StreamEvent } from "../sse.ts";
import type { Answer, CallOptions, Query, Schema } from "../types.ts";

/** What was said. */
export class Conversations extends Resource {
  /** All conversations, newest first. */
  list(
    query?: Query<"/api/v1/conversations">,
    options?: CallOptions,
  ): List<Schema<"Conversation">, Answer<"GET", "/api/v1/conversations">> {
    return this.listOf("/api/v1/conversations", (page) => page.conversations, { query, options });
  }

  get(id: string, options?: CallOptions): Promise<Schema<"ConversationDetail">> {
    return this.call("GET", "/api/v1/conversations/{id}", withParams(options, { params: { path: { id } } }));
  }

  delete(id: string, options?: CallOptions): Promise<undefined> {
    return this.call("DELETE", "/api/v1/conversations/{id}", withParams(options, { params: { path: { id } } }));
  }

  transcript(id: string, options?: CallOptions): Promise<string> {
    return this.call("GET", "/api/v1/conversations/{id}/transcript", withParams(options, { params: { path: { id } } }));
  }

  /** A conversation as it is held; ends with it. */
  events(id: string, options?: FollowOptions): AsyncGenerator<StreamEvent<Schema<"ConversationStreamEvent">>, void> {
    return this.streamOf("/api/v1/conversations/{id}/events", { id }, undefined, options);
  }

  /** All conversations as CSV. */
  export(query?: Query<"/api/v1/conversations/export">, options?: CallOptions): Promise<Response> {
    return this.file("/api/v1/conversations/export", {}, query, options);
  }
}
