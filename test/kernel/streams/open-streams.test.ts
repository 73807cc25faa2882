import { describe, expect, it } from "vitest";
import { OpenStreams } from "../../../src/kernel/streams/open-streams.ts";

const reader = { credential: { key: "hash" }, until: null, view: "" };

/** Creates a gate whose answers can be set, and which records its calls. */
function world() {
  const state = { full: false, away: false, toEnd: [] as string[] };
  const [looks, closed, ended, reports]: [{ open: string[]; opening: string[] }[], string[], string[], unknown[]] = [
    [],
    [],
    [],
    [],
  ];
  const opened: boolean[] = [];
  const answer = async <T>(value: T) => {
    if (state.away) throw new Error("away");
    return value;
  };
  const streams: OpenStreams = new OpenStreams(
    {
      open: async (_, first) => {
        opened.push(first);
        if (state.full) throw new Error("full");
      },
      keep: (open, opening) => {
        looks.push({ open: open.map(({ id }) => id), opening });
        return answer(state.toEnd);
      },
      close: (ids) => {
        closed.push(...ids);
        return answer(undefined);
      },
    },
    (ids) => {
      ended.push(...ids);
      for (const id of ids) streams.left(id);
    },
    (error) => reports.push(error),
  );
  /** Runs a heartbeat and everything that follows from it. */
  const beat = async () => {
    streams.beat();
    await new Promise((resolve) => setTimeout(resolve));
    return looks.at(-1);
  };
  return { streams, state, opened, beat, closed, ended, reports };
}

describe("open streams of a campaign", () => {
  it("open streams are renewed at every heartbeat while they have a reader", async () => {
    const { streams, beat, closed } = world();
    const [one, two] = [await streams.enter(reader), await streams.enter(reader)];
    expect(await beat()).toEqual({ open: [one, two], opening: [] });
    streams.left(one);
    streams.left(one);
    expect(closed).toEqual([one]);
    const asking = streams.enter(reader);
    const seen = await beat();
    expect([seen?.open, seen?.opening.length]).toEqual([[two], 1]);
    expect(seen?.opening).toEqual([await asking]);
  });

  it("report with the first stream that those from before a rebuild have ended", async () => {
    const { streams, state, opened } = world();
    state.full = true;
    const first = streams.enter(reader);
    const second = streams.enter(reader);
    await expect(first).rejects.toThrow("full");
    await expect(second).rejects.toThrow("full");
    state.full = false;
    await streams.enter(reader);
    expect(opened).toEqual([true, false, false]);
  });

  it("only the gate admits streams", async () => {
    const { streams, state, beat, closed } = world();
    state.full = true;
    await expect(streams.enter(reader)).rejects.toThrow("full");
    expect(await beat()).toEqual({ open: [], opening: [] });
    expect(closed).toEqual([]);
  });

  it("end when the gate revokes them, and continue while it cannot be reached", async () => {
    const { streams, state, beat, closed, ended, reports } = world();
    const [one, two] = [await streams.enter(reader), await streams.enter(reader)];
    state.away = true;
    state.toEnd = [one];
    await beat();
    expect([ended, reports]).toEqual([[], [new Error("away")]]);
    state.away = false;
    await beat();
    expect([ended, closed]).toEqual([[one], [one]]);
    state.toEnd = [];
    expect(await beat()).toEqual({ open: [two], opening: [] });
  });
});
