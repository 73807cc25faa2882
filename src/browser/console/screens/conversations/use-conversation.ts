import { createEffect, createMemo, createSignal, onCleanup } from "solid-js";
import type { Body } from "../../api/client.ts";
import { readEvents, type StreamEvent, type StreamState } from "../../api/event-stream.ts";
import { invalidate } from "../../api/queries.ts";
import { useQuery } from "../../api/use-query.ts";
import { afterEvent, type Watched } from "./live.ts";
import { conversationById } from "./queries.ts";

/** How often one that is under way is asked for beside its stream, so that its end is not missed, ms. */
const ASKED_EVERY_MS = 15_000;

/** A conversation as it is now: followed while it is under way, and asked for once more when it is over. */
export function useConversation(id: string) {
  const stored = useQuery(() => ({
    ...conversationById(id),
    refetchInterval: ({ state }) => (state.data?.status === "live" ? ASKED_EVERY_MS : false),
  }));
  const [watched, setWatched] = createSignal<Watched>();
  const [stream, setStream] = createSignal<StreamState>("connecting");
  const isLive = createMemo(() => stored.data?.status === "live");

  createEffect(() => {
    if (!isLive()) return;
    const stop = readEvents(`/api/v1/conversations/${id}/events`, {
      event: (told) => setWatched((known) => afterEvent(known, told)),
      state: (state) => {
        setStream(state);
        // Its record is complete now, or it is gone.
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
    /** How the stream of one that is under way stands. */
    stream,
    /** What is newer: the stream, or what was asked for. */
    latest: (found: Body<"ConversationDetail">): Body<"ConversationDetail"> => watched()?.detail ?? found,
  };
}

/** Whether nothing comes after this: the end, or the snapshot of one that has ended. */
function isLast({ name, data }: StreamEvent): boolean {
  if (name !== "snapshot") return name === "ended";
  const { status }: Body<"ConversationDetail"> = JSON.parse(data);
  return status === "ended";
}
