import { createContext, createMemo, createSignal, onCleanup, useContext } from "solid-js";
import type { ApiFailure } from "../../../api/client.ts";
import { readEvents, type StreamEvent, type StreamState } from "../../../api/event-stream.ts";
import { queries } from "../../../api/queries.ts";
import { Board, withState } from "./board.ts";
import type { Campaign, Told } from "./told.ts";

/** How many events from before are told, so that what changed last is known at once. */
const TOLD_BEFORE = 1_000;
/** Events taken in before the browser may draw again. */
const MOST_A_FRAME = 1_000;
/** How often events are taken in where nobody looks, ms. */
const HIDDEN_MS = 1_000;

/** A campaign as its stream tells it. Who reads `board` follows `version`. */
export interface LiveCampaign {
  /** Its settings as they were asked for last, its state and counters as the stream has them by now. */
  campaign(): Campaign | undefined;
  /** What was told; the same object for as long as `version` is. */
  board(): Board | undefined;
  /** Changes whenever something was told. */
  version(): number;
  stream(): StreamState;
  /** Why the stream is over for good. */
  failure(): ApiFailure | undefined;
  /** Says that a contact was changed in a way that the stream does not tell. */
  repaired(): void;
  /** Counts how often contacts changed in such a way. */
  repairs(): number;
}

const Context = createContext<LiveCampaign>();
export const LiveCampaignProvider = Context.Provider;

/** The campaign whose screen this is. */
export function useLiveCampaign(): LiveCampaign {
  const live = useContext(Context);
  if (!live) throw new Error("there is no campaign around this");
  return live;
}

/**
 * Follows a campaign until its screen is left. Events are taken in once a frame, however many come.
 * @param stored the campaign as it was asked for last
 */
export function followCampaign(id: string, stored: () => Campaign | undefined): LiveCampaign {
  const path = `/api/v1/campaigns/${id}/events`;
  const [told, setCampaign] = createSignal<Campaign>();
  const [version, setVersion] = createSignal(0);
  const [stream, setStream] = createSignal<StreamState>("connecting");
  const [failure, setFailure] = createSignal<ApiFailure>();
  const [repaired, setRepaired] = createSignal(0);
  const [untold, setUntold] = createSignal(0);
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
    for (const each of waiting.splice(0, MOST_A_FRAME)) board.take(each);
    setCampaign(board.campaign);
    setUntold(board.listChanges);
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
      const first = toldBy(event);
      if (first.kind !== "snapshot" || board) return;
      const after = Math.max(0, first.campaign.seq - TOLD_BEFORE);
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
    const [asked, now] = [stored(), told()];
    if (!asked || !now) return asked ?? now;
    // A reason is told by its own event only; the record has it for good.
    return withState(asked, asked.status === now.status ? asked : now, now.counts);
  });
  return {
    campaign,
    board: () => (version() >= 0 ? board : undefined),
    version,
    stream,
    failure,
    repaired: () => setRepaired((before) => before + 1),
    repairs: () => repaired() + untold(),
  };
}

/** An event of the stream as what it tells; the service's own schema holds for its data. */
function toldBy({ name, data, id }: StreamEvent): Told {
  if (name === "snapshot") return { kind: "snapshot", campaign: JSON.parse(data), isFresh: id !== "" };
  if (name === "campaign") return { kind: "campaign", change: JSON.parse(data) };
  return { kind: "contact", change: JSON.parse(data) };
}
