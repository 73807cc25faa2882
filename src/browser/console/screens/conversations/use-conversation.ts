import { createEffect, createMemo, createSignal, onCleanup } from "solid-js";
import type { Body } from "../../api/client.ts";
import { readEvents, type StreamEvent, type StreamState } from "../../api/event-stream.ts";
import { may } from "../../api/may.ts";
import { invalidate } from "../../api/queries.ts";
import { useQuery } from "../../api/use-query.ts";
import { afterEvent, type Watched } from "./live.ts";
import { conversationById } from "./queries.ts";

/** How often a live conversation is fetched in addition to its stream, so that its end isn't missed, ms. */
const REFETCH_INTERVAL_MS = 15_000;

const ANALYZED_INTERVAL_MS = 3_000;

function intervalOf(conversation: Body<"ConversationDetail"> | undefined): number | false {
  if (conversation?.status === "live") return REFETCH_INTERVAL_MS;
  return conversation?.analysis?.status === "pending" ? ANALYZED_INTERVAL_MS : false;
}

/** Follows a conversation: streamed while it is live, and fetched again when it has ended. */
export function useConversation(id: string) {
  const stored = useQuery(() => ({
    ...conversationById(id),
    refetchInterval: ({ state }) => intervalOf(state.data),
  }));
  const [watched, setWatched] = createSignal<Watched>();
  const [stream, setStream] = createSignal<StreamState>("connecting");
  const isLive = createMemo(() => stored.data?.status === "live");

  createEffect(() => {
    // A user without the scope `listen` sees only what is fetched.
    if (!isLive() || !may("streamConversationEvents")) return;
    const stop = readEvents(`/api/v1/conversations/${id}/events`, {
      event: (event) => setWatched((watched) => afterEvent(watched, event)),
      state: (state) => {
        setStream(state);
        // Either the record is complete now or the conversation is gone.
        if (state === "ended") void invalidate("conversations");
      },
      failed: () => undefined,
      isLast,
    });
    onCleanup(() => {
      stop();
      setWatched(undefined);
    });
  });

  return {
    stored,
    isLive,
    stream,
    /** Returns the streamed state if there is one, with the fetched sums that the stream doesn't report. */
    latest(found: Body<"ConversationDetail">): Body<"ConversationDetail"> {
      const { usage, latency } = found;
      return Object.assign({}, watched()?.detail ?? found, { usage, latency });
    },
  };
}

/** Checks whether an event is the last one: the end, or the snapshot of an ended conversation. */
function isLast({ name, data }: StreamEvent): boolean {
  if (name !== "snapshot") return name === "ended";
  const { status }: Body<"ConversationDetail"> = JSON.parse(data);
  return status === "ended";
}
