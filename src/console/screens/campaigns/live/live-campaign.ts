import { createContext, createSignal, onCleanup, useContext } from "solid-js";
import type { ApiFailure } from "../../../api/client.ts";
import { readEvents, type StreamState } from "../../../api/event-stream.ts";
import { queries } from "../../../api/queries.ts";
import { Board } from "./board.ts";
import { type Campaign, type Told, toldBy } from "./told.ts";

/** How many events from before are told, so that what changed last is known at once. */
const TOLD_BEFORE = 1_000;
/** Events taken in before the browser may draw again. */
const MOST_A_FRAME = 1_000;
/** How often events are taken in where nobody looks, ms. */
const HIDDEN_MS = 1_000;

/** A campaign as its stream tells it. Who reads `board` follows `version`. */
export interface LiveCampaign {
  /** As the stream has it by now; undefined until it says. */
  campaign(): Campaign | undefined;
  /** What was told; the same object for as long as `version` is. */
  board(): Board | undefined;
  /** Changes whenever something was told. */
  version(): number;
  stream(): StreamState;
  /** Why the stream is over for good. */
  failure(): ApiFailure | undefined;
}

const Context = createContext<LiveCampaign>();
export const LiveCampaignProvider = Context.Provider;

/** The campaign whose screen this is. */
export function useLiveCampaign(): LiveCampaign {
  const live = useContext(Context);
  if (!live) throw new Error("there is no campaign around this");
  return live;
}

/** Follows a campaign until its screen is left. Events are taken in once a frame, however many come. */
export function followCampaign(id: string): LiveCampaign {
  const path = `/api/v1/campaigns/${id}/events`;
  const [campaign, setCampaign] = createSignal<Campaign>();
  const [version, setVersion] = createSignal(0);
  const [stream, setStream] = createSignal<StreamState>("connecting");
  const [failure, setFailure] = createSignal<ApiFailure>();
  let board: Board | undefined;
  let waiting: Told[] = [];
  let isDue = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let end = () => {};

  const takeIn = () => {
    isDue = false;
    clearTimeout(timer);
    if (!board || waiting.length === 0) return;
    const { campaignChanges } = board;
    for (const told of waiting.splice(0, MOST_A_FRAME)) board.take(told);
    setCampaign(board.campaign);
    setVersion((before) => before + 1);
    // Its settings, and lists that it is in.
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
  /** A frame that was due does not come in a tab that nobody sees. */
  const seen = () => isDue && takeIn();

  const listener = { state: setStream, failed: (refused: ApiFailure) => setFailure(() => refused) };
  function read(after: number): void {
    end();
    end = readEvents(
      path,
      {
        ...listener,
        event(event) {
          waiting.push(toldBy(event));
          plan();
        },
      },
      String(after),
    );
  }

  // The first snapshot says where the history stands; it is read from somewhat before that.
  end = readEvents(path, {
    ...listener,
    event(event) {
      const told = toldBy(event);
      if (told.kind !== "snapshot" || board) return;
      const after = Math.max(0, told.campaign.seq - TOLD_BEFORE);
      board = new Board(after);
      setCampaign(told.campaign);
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
  return { campaign, board: () => (version() >= 0 ? board : undefined), version, stream, failure };
}
