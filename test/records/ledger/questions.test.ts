import { describe, expect, it } from "vitest";
import type { AskedQuestion, ConversationRow } from "../../../src/records/ledger/report.ts";
import { newId } from "../../support/ids.ts";
import { AT, conversation, DAY, later, newVolume, rowsOf, type Volume } from "./support.ts";

const id = () => newId(Date.parse(AT));
const asked = (talk: string, n: number, at = AT): AskedQuestion => ({
  id: `${talk}/${String(n).padStart(3, "0")}`,
  at,
  question: `Question ${n}?`,
  query: `question ${n}`,
  topic: `question ${n % 7}`,
});
const range = (n: number) => Array.from({ length: n }, (_, i) => i);

/** Reports a conversation that ended with this many questions. Returns its id. */
async function talked(volume: Volume, questions: number, over: Partial<ConversationRow> = {}, at = AT) {
  const talk = id();
  const row = conversation(talk, Object.assign({ status: "ended" as const, ended_at: AT }, over));
  await volume.report([{ part: "conversation", row, questions: range(questions).map((n) => asked(talk, n, at)) }]);
  return talk;
}
const countOf = async (volume: Volume) =>
  (await rowsOf<{ n: number }>(volume, "SELECT count(*) AS n FROM questions"))[0]?.n;

describe("the unanswered questions of a volume", () => {
  it("at most 20 unanswered questions are stored of a conversation, or of a visitor in a day", async () => {
    const volume = newVolume();
    await talked(volume, 30);
    expect(await countOf(volume)).toBe(20);
    await talked(volume, 15, { visitor_id: "v-1" });
    await talked(volume, 15, { visitor_id: "v-1" });
    await talked(volume, 3, { visitor_id: "v-2" });
    expect(await countOf(volume)).toBe(43);
    await talked(volume, 5, { visitor_id: "v-1", started_at: later(86_400_000) }, later(86_400_000));
    expect(await countOf(volume)).toBe(48);
  });

  it("a later report replaces unanswered questions, and an earlier one does not", async () => {
    const volume = newVolume();
    const talk = await talked(volume, 3);
    const row = conversation(talk, { revision: 2, status: "ended", ended_at: AT });
    await volume.report([{ part: "conversation", row, questions: [asked(talk, 9)] }]);
    expect(await countOf(volume)).toBe(1);
    await volume.report([{ part: "conversation", row, questions: [] }]);
    expect(await countOf(volume)).toBe(1);
  });

  it("the unanswered questions of a volume are not restored by a late report after their conversation was removed", async () => {
    const volume = newVolume();
    const talk = await talked(volume, 3);
    await volume.removeConversations([talk]);
    expect(await countOf(volume)).toBe(0);
    const row = conversation(talk, { revision: 2, status: "ended", ended_at: AT });
    await volume.report([{ part: "conversation", row, questions: [asked(talk, 1)] }]);
    expect(await countOf(volume)).toBe(0);
  });

  it("the newest 10,000 unanswered questions are grouped by agent and words", async () => {
    const volume = newVolume();
    for (let at = 0; at < 510; at += 30)
      await volume.report(
        range(30).map((n) => {
          const talk = id();
          const time = `${DAY}T10:${String(Math.floor((at + n) / 60)).padStart(2, "0")}:${String((at + n) % 60).padStart(2, "0")}.000Z`;
          const questions = range(20).map((q) => asked(talk, q, time));
          return { part: "conversation" as const, row: conversation(talk, { agent_id: `a-${n % 2}` }), questions };
        }),
      );
    expect(await countOf(volume)).toBe(10_000);
    const { groups, read } = await volume.questionGroups(["a-1"], 10_000);
    expect([groups.length, read]).toEqual([7, 10_000]);
    expect(groups.reduce((sum, { times }) => sum + times, 0)).toBe(5_000);
    expect(new Set(groups.map(({ at }) => at))).toEqual(new Set([`${DAY}T10:08:29.000Z`]));
  });
});
