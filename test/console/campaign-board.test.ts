import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Board } from "../../src/browser/console/screens/campaigns/live/board.ts";
import type {
  Campaign,
  CampaignEvent,
  ContactStatus,
  Counts,
} from "../../src/browser/console/screens/campaigns/live/campaign-events.ts";

const CAMPAIGN = "01936d7f-1111-7000-8000-0000";
const CONTACTS = 12;
const BEGAN = Date.parse("2026-11-21T09:00:00.000Z");
const NEXT: Record<ContactStatus, ContactStatus[]> = {
  pending: ["originated", "cancelled", "failed"],
  originated: ["connected", "failed", "pending"],
  connected: ["completed", "failed"],
  completed: [],
  failed: [],
  cancelled: [],
};

type Entry = Exclude<CampaignEvent, { kind: "snapshot" }>;
const idOf = (contact: number) => `${CAMPAIGN}${contact.toString(16).padStart(8, "0")}`;
const at = (seq: number) => new Date(BEGAN + seq * 700).toISOString();
const counts = (statuses: ContactStatus[]): Counts => {
  const all: Counts = { pending: 0, originated: 0, connected: 0, completed: 0, failed: 0, cancelled: 0 };
  for (const status of statuses) all[status]++;
  return all;
};

/** Creates the service's record of a campaign: its history, and the state after each entry. */
function history(choices: number[]): { entries: Entry[]; snapshot: (seq: number, isFresh: boolean) => CampaignEvent } {
  const statuses: ContactStatus[] = Array.from({ length: CONTACTS }, () => "pending");
  const entries: Entry[] = [];
  const after: { status: Campaign["status"]; counts: Counts }[] = [{ status: "draft", counts: counts(statuses) }];
  let status: Campaign["status"] = "draft";
  for (const choice of choices) {
    const seq = entries.length + 1;
    const row = choice % (CONTACTS + 1);
    const previous = statuses[row];
    const next = previous && NEXT[previous][choice % Math.max(1, NEXT[previous].length)];
    if (previous && next) {
      statuses[row] = next;
      entries.push({
        kind: "contact",
        change: {
          seq,
          campaign_id: CAMPAIGN,
          // A duplicate was dropped before every third contact.
          contact_id: idOf(row + 1 + Math.floor(row / 3)),
          position: row + 1,
          phone_number: "+12025550111",
          status: next,
          previous_status: previous,
          attempt: 1,
          call_id: null,
          reason: null,
          at: at(seq),
        },
      });
    } else {
      status = status === "running" ? "paused" : "running";
      entries.push({
        kind: "campaign",
        change: { seq, campaign_id: CAMPAIGN, status, reason: null, counts: counts(statuses), at: at(seq) },
      });
    }
    after.push({ status, counts: counts(statuses) });
  }
  const snapshot = (seq: number, isFresh: boolean): CampaignEvent => {
    const then = after[seq];
    if (!then) throw new Error("nobody knows that");
    return { kind: "snapshot", isFresh, campaign: { ...RECORD, ...then, seq, campaign_id: CAMPAIGN } };
  };
  return { entries, snapshot };
}

const RECORD: Omit<Campaign, "status" | "counts"> = {
  id: CAMPAIGN,
  name: "Spring check",
  status_reason: null,
  agent_id: null,
  from_number: null,
  total_contacts: CONTACTS,
  import: { accepted: CONTACTS, rejected: 0, duplicates: 0, assumed: [] },
  agent_version: "live",
  voicemail: "hang_up",
  voicemail_message: "",
  record: null,
  scheduled_at: null,
  timezone: "UTC",
  timezone_chosen: true,
  schedule_config: null,
  max_concurrency: null,
  calls_per_minute: null,
  retry_config: { max_attempts: 1, retry_interval_minutes: 60, retry_on: [] },
  created_by: "ada",
  created_at: at(0),
  updated_at: at(0),
  started_at: null,
  ended_at: null,
};

/** Returns everything that the board shows. */
function shown(board: Board) {
  const { status, counts, total_contacts } = board.campaign ?? {};
  const { latest } = board;
  const changes = [...board.changes];
  return { status, counts, total_contacts, changes, latest, over: board.overTime.stretches(), seq: board.seq };
}

const choices = fc.array(fc.nat(10_000), { maxLength: 60 });

describe("the board of a campaign", () => {
  it("a campaign's board is the same wherever the stream is cut", () => {
    const cuts = fc.array(fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), back: fc.nat(8) }), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(choices, cuts, fc.infiniteStream(fc.nat(1_000)), (drawn, cut, luck) => {
        const { entries, snapshot } = history(drawn);
        const uncut = new Board(0);
        uncut.take(snapshot(0, false));
        for (const entry of entries) uncut.take(entry);

        const board = new Board(0);
        board.take(snapshot(0, false));
        const places = cut.map(({ at, back }) => ({ to: Math.floor(at * entries.length), back }));
        let from = 0;
        for (const { to, back } of [...places.sort((a, b) => a.to - b.to), { to: entries.length, back: 0 }]) {
          // Events in transit when the connection is cut arrive in any order, some of them twice.
          const part = entries.slice(Math.max(0, from - back), to);
          const tail = part.splice(-4);
          const mixed = tail.map((entry) => ({ entry, key: luck.next().value ?? 0 })).sort((a, b) => a.key - b.key);
          for (const entry of part) board.take(entry);
          for (const { entry } of [...mixed, ...mixed.slice(0, 2)]) board.take(entry);
          // The snapshot of a resumed stream is newer than the events that follow it.
          board.take(snapshot(to + ((luck.next().value ?? 0) % (entries.length - to + 1)), false));
          from = to;
        }
        expect(board.hasGap).toBe(false);
        expect(shown(board)).toEqual(shown(uncut));
      }),
    );
  });

  it("names the contacts that changed most recently, each once and newest first", () => {
    fc.assert(
      fc.property(choices, (drawn) => {
        const board = new Board(0);
        const { entries, snapshot } = history(drawn);
        board.take(snapshot(0, false));
        for (const entry of entries) board.take(entry);
        const changed = entries.flatMap((entry) => (entry.kind === "contact" ? [entry.change.contact_id] : []));
        expect(board.latest).toEqual([...new Set(changed.toReversed())].slice(0, 10));
      }),
    );
  });

  it("includes events from before the page was opened without counting them twice", () => {
    fc.assert(
      fc.property(choices, fc.nat(60), fc.nat(60), (drawn, opened, before) => {
        const { entries, snapshot } = history(drawn);
        const seq = Math.min(opened, entries.length);
        const board = new Board(Math.max(0, seq - before));
        board.take(snapshot(seq, false));
        for (const entry of entries.slice(Math.max(0, seq - before))) board.take(entry);
        const last = snapshot(entries.length, false);
        expect(last.kind === "snapshot" && last.campaign.counts).toEqual(board.campaign?.counts);
        expect(last.kind === "snapshot" && last.campaign.status).toEqual(board.campaign?.status);
      }),
    );
  });

  it("begins again if the service has no earlier events", () => {
    const { entries, snapshot } = history(Array.from({ length: 40 }, (_, i) => i * 7));
    const board = new Board(0);
    board.take(snapshot(0, false));
    for (const entry of entries.slice(0, 10)) board.take(entry);
    board.take(snapshot(30, true));
    expect([board.seq, board.campaignChanges, board.isWhole]).toEqual([30, 1, false]);
    for (const entry of entries.slice(20)) board.take(entry);
    const last = snapshot(entries.length, false);
    expect(last.kind === "snapshot" && last.campaign.counts).toEqual(board.campaign?.counts);
  });

  it("waits for an event that is missing", () => {
    const { entries, snapshot } = history([0, 1, 2]);
    const [first, second, third] = entries;
    const board = new Board(0);
    board.take(snapshot(0, false));
    for (const entry of [third, second]) if (entry) board.take(entry);
    expect([board.hasGap, board.seq, board.campaign?.counts.pending]).toEqual([true, 0, CONTACTS]);
    if (first) board.take(first);
    expect([board.hasGap, board.seq, board.campaign?.counts.pending]).toEqual([false, 3, CONTACTS - 3]);
  });
});
