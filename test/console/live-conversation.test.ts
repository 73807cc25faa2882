import * as fc from "fast-check";
import { assert, pre, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { afterEvent, type Watched } from "../../src/browser/console/screens/conversations/live.ts";
import { offsetsOf, turnAt, waitsOf } from "../../src/browser/console/screens/conversations/timeline.ts";
import type { ConversationEvent } from "../../src/records/conversations/events.ts";
import { turnsOf } from "../../src/records/conversations/record.ts";

const BEGAN = Date.parse("2026-11-22T09:00:00.000Z");
const at = (ms: number) => new Date(BEGAN + ms).toISOString();

/** Possible reports of a runtime, numbered in order. */
const happenings = fc
  .array(fc.constantFrom("user", "agent", "cut", "tool", "run", "disposition", "usage"), { maxLength: 12 })
  .map((kinds) => {
    const events: ConversationEvent[] = [];
    const add = (more: object) => {
      const seq = events.length + 1;
      events.push({ seq, at: at(seq * 700), ...more } as ConversationEvent);
    };
    for (const [n, kind] of kinds.entries()) {
      if (kind === "user") add({ type: "user_turn", text: `q${n}` });
      if (kind === "agent") add({ type: "agent_turn", text: `a${n}` });
      if (kind === "cut") add({ type: "agent_turn", text: `a${n} b`, interrupted: true, heard: `a${n}` });
      if (kind === "disposition") add({ type: "disposition", value: `d${n}` });
      if (kind === "usage") add({ type: "usage", input_tokens: 1 });
      if (kind === "run") {
        // An interrupted use is repeated with the same ID.
        for (const run of [`r${n}`, `s${n}`]) {
          const [of, ok] = [{ tool_call_id: `t${n}`, run_id: run }, run === `s${n}`];
          add({ type: "tool_call", name: "look", arguments: { n }, state: "running", ...of });
          add({ type: "tool_result", ok, result: run, duration_ms: n, state: ok ? "ok" : "unknown", ...of });
        }
      }
      if (kind === "tool") {
        add({ type: "tool_call", tool_call_id: `t${n}`, name: "look", arguments: { n } });
        add({ type: "tool_result", tool_call_id: `t${n}`, ok: n % 2 === 0, result: n, duration_ms: n });
      }
    }
    return events;
  });

const snapshotOf = (events: ConversationEvent[]) => JSON.stringify({ status: "live", turns: turnsOf(events) });

type Result = Extract<ConversationEvent, { type: "tool_result" }>;
const isUsed = ({ tool_call_id, run_id }: Result, arrived: ConversationEvent[], before: number) =>
  arrived
    .slice(0, before)
    .some((event) => event.type === "tool_call" && event.tool_call_id === tool_call_id && event.run_id === run_id);

describe("a conversation that is followed live", () => {
  it("has the service's turns, in whatever order they arrive and wherever the connection is cut", () => {
    const arrivals = happenings.chain((events) =>
      fc.tuple(
        fc.shuffledSubarray(events, { minLength: events.length }),
        fc.nat({ max: events.length }),
        fc.nat({ max: events.length }),
      ),
    );
    assert(
      property(arrivals, ([arrived, first, cut]) => {
        // A snapshot can't contain the result of a use that hasn't arrived. The final record has it.
        pre(arrived.slice(0, first).every((event) => event.type !== "tool_result" || isUsed(event, arrived, first)));
        let watched: Watched | undefined;
        const receive = (name: string, data: string, id: string) => {
          watched = afterEvent(watched, { id, name, data });
        };
        receive("snapshot", snapshotOf(arrived.slice(0, first)), String(first));
        for (const [n, event] of arrived.entries()) {
          if (n < first) continue;
          // A resumed stream begins with a current snapshot without an ID, followed by the missed events.
          if (n === cut) receive("snapshot", snapshotOf(arrived), "");
          receive(event.type, JSON.stringify(event), String(n + 1));
        }
        expect(watched?.detail.turns).toEqual(turnsOf(arrived));
      }),
    );
  });

  it("begins again with a snapshot that has an ID", () => {
    const snapshotEvent = (events: ConversationEvent[], id: string) => ({
      id,
      name: "snapshot",
      data: snapshotOf(events),
    });
    const hello: ConversationEvent = { seq: 1, at: at(0), type: "agent_turn", text: "Hello" };
    const watched = afterEvent(afterEvent(undefined, snapshotEvent([], "0")), snapshotEvent([hello], "1"));
    expect(watched?.detail.turns?.map(({ text }) => text)).toEqual(["Hello"]);
  });

  it("ignores events before the first snapshot", () => {
    expect(afterEvent(undefined, { id: "3", name: "user_turn", data: "{}" })).toBeUndefined();
  });
});

describe("a transcript beside its recording", () => {
  const turns = turnsOf([
    { seq: 1, at: at(1_000), type: "agent_turn", text: "Hello" },
    { seq: 2, at: at(4_000), type: "user_turn", text: "Hi" },
    { seq: 3, at: at(4_640), type: "tool_call", tool_call_id: "t", name: "look", arguments: {} },
    { seq: 4, at: at(5_900), type: "agent_turn", text: "Found" },
    { seq: 5, at: at(9_000), type: "agent_turn", text: "Anything else?" },
  ]);

  it("locates each turn, and reports turns outside of it", () => {
    expect(offsetsOf(turns, at(500), 6)).toEqual([0.5, 3.5, 4.14, 5.4, null]);
    // The other clock may be behind.
    expect(offsetsOf(turns, at(2_000), 6)[0]).toBe(0);
  });

  it("marks the turn being played, except tools", () => {
    const offsets = offsetsOf(turns, at(500), 6);
    expect([0, 0.5, 3, 3.5, 4.2, 5.5, 100].map((time) => turnAt(turns, offsets, time))).toEqual([-1, 0, 0, 1, 1, 3, 3]);
  });

  it("shows how long each answer took, once per question", () => {
    expect([...waitsOf(turns)]).toEqual([[4, 1_900]]);
  });
});
