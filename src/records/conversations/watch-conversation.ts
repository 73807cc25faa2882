import type { AccountStore } from "../../kernel/db/account-store.ts";
import { conversationObject } from "../../kernel/durable/objects.ts";
import type { Bindings, Principal } from "../../kernel/http/context.ts";
import { STREAM_HEADERS } from "../../kernel/http/event-stream.ts";
import { ownRow } from "../../kernel/http/own-agents.ts";
import { readerOf } from "../../kernel/http/reader-of.ts";
import { encodeEvent } from "../../kernel/streams/event-hub.ts";
import { conversationDetail } from "./conversation-schema.ts";
import { detailOf, findRow, heldDetail } from "./find-conversation.ts";
import { projectConversation } from "./projection.ts";
import type { ConversationDetail } from "./record.ts";

interface Context {
  env: Bindings;
  store: AccountStore;
  principal: Principal;
}

/**
 * Streams the events of a live conversation after `lastEventId`. A conversation that has ended is sent as a single
 * snapshot, but not to a client that reconnects. @throws ApiError 404, 429
 */
export async function watchConversation(
  { env, store, principal }: Context,
  id: string,
  lastEventId: string | undefined,
): Promise<Response> {
  const row = ownRow(principal, await findRow({ env, store }, id), "conversation");
  const held = row.status === "live" ? await heldDetail(env, store.account, row) : null;
  if (held?.status === "live") {
    const after = /^\d{1,15}$/.test(lastEventId ?? "") ? Number(lastEventId) : null;
    const object = conversationObject(env, store.account, row.session_key);
    return new Response(await object.events(after, readerOf(principal)), { headers: STREAM_HEADERS });
  }
  if (lastEventId !== undefined) return new Response(null, { status: 204 });
  return new Response(snapshot(held ?? (await detailOf({ env, store }, row))), { headers: STREAM_HEADERS });
}

/** Returns the conversation as one event. Its id makes a reconnecting EventSource send Last-Event-ID. */
function snapshot(detail: ConversationDetail): string {
  const seq = detail.turns.at(-1)?.seq ?? 0;
  return encodeEvent({ seq, event: "snapshot", data: conversationDetail.parse(projectConversation(detail)) });
}
