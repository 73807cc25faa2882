import { createContext, createMemo, createSignal, onCleanup, useContext } from "solid-js";
import type { ApiFailure } from "../../../api/client.ts";
import { readEvents, type StreamEvent, type StreamState } from "../../../api/event-stream.ts";
import { queries } from "../../../api/queries.ts";
import { Board, withState } from "./board.ts";
import type { Campaign, CampaignEvent } from "./campaign-events.ts";

/** Number of earlier events requested, so that the latest changes are known at once. */
const EARLIER_EVENTS = 1_000;
/** Maximum number of events applied per frame. */
const MAX_A_FRAME = 1_000;
/** How often events are applied in a hidden tab, ms. */
const HIDDEN_MS = 1_000;

/** A campaign as reported by its stream. Readers of `board` must track `version`. */
export interface LiveCampaign {
  /** The settings as last fetched, with the state and counters from the stream. */
  campaign(): Campaign | undefined;
  /** The state from the stream. It stays the same object; `version` tells when it changed. */
  board(): Board | undefined;
  /** Changes with every batch of events. */
  version(): number;
  stream(): StreamState;
  /** Why the stream ended permanently. */
  failure(): ApiFailure | undefined;
}

const Context = createContext<LiveCampaign>();
export const LiveCampaignProvider = Context.Provider;

/** Returns the campaign of the current screen. */
export function useLiveCampaign(): LiveCampaign {
  const live = useContext(Context);
  if (!live) throw new Error("there is no campaign around this");
  return live;
}

/**
 * Follows a campaign until its screen is closed. Events are applied once per frame, however many arrive.
 * @param stored the campaign as last fetched
 */
export function followCampaign(id: string, stored: () => Campaign | undefined): LiveCampaign {
  const path = `/api/v1/campaigns/${id}/events`;
  const [streamed, setCampaign] = createSignal<Campaign>();
  const [version, setVersion] = createSignal(0);
  const [stream, setStream] = createSignal<StreamState>("connecting");
  const [failure, setFailure] = createSignal<ApiFailure>();
  let board: Board | undefined;
  let waiting: CampaignEvent[] = [];
  let isDue = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let end = () => {};

  const takeIn = () => {
    isDue = false;
    clearTimeout(timer);
    if (!board || waiting.length === 0) return;
    const { campaignChanges } = board;
    for (const each of waiting.splice(0, MAX_A_FRAME)) board.take(each);
    setCampaign(board.campaign);
    setVersion((before) => before + 1);
    // Its settings changed, and with them the lists that contain it.
    if (board.campaignChanges !== campaignChanges) void queries.invalidateQueries({ queryKey: ["campaigns"] });
    if (waiting.length > 0) plan();
    else if (board.hasGap) read(board.seq);
  };
  const plan = () => {
    if (isDue) return;
    isDue = true;
    if (document.hidden) timer = setTimeout(takeIn, HIDDEN_MS);
    else requestAnimationFrame(takeIn);
  };
  /** A hidden tab gets no animation frames. */
  const seen = () => isDue && takeIn();

  const listener = { state: setStream, failed: (refused: ApiFailure) => setFailure(() => refused) };
  function read(after: number): void {
    end();
    end = readEvents(
      path,
      {
        ...listener,
        event(event) {
          waiting.push(campaignEventOf(event));
          plan();
        },
      },
      String(after),
    );
  }

  // The first snapshot contains the current event number; the history is read from somewhat earlier.
  end = readEvents(path, {
    ...listener,
    event(event) {
      const first = campaignEventOf(event);
      if (first.kind !== "snapshot" || board) return;
      const after = Math.max(0, first.campaign.seq - EARLIER_EVENTS);
      board = new Board(after);
      queueMicrotask(() => read(after));
    },
  });
  document.addEventListener("visibilitychange", seen);
  onCleanup(() => {
    end();
    clearTimeout(timer);
    waiting = [];
    document.removeEventListener("visibilitychange", seen);
  });
  const campaign = createMemo(() => {
    const [fetched, now] = [stored(), streamed()];
    if (!fetched || !now) return fetched ?? now;
    // Only the campaign's own event contains a reason, so the fetched one is kept.
    return withState(fetched, fetched.status === now.status ? fetched : now, now.counts);
  });
  return {
    campaign,
    board: () => (version() >= 0 ? board : undefined),
    version,
    stream,
    failure,
  };
}

/** Parses an event of the stream. Its data follows the service's schema. */
function campaignEventOf({ name, data, id }: StreamEvent): CampaignEvent {
  if (name === "snapshot") return { kind: "snapshot", campaign: JSON.parse(data), isFresh: id !== "" };
  if (name === "campaign") return { kind: "campaign", change: JSON.parse(data) };
  return { kind: "contact", change: JSON.parse(data) };
}
