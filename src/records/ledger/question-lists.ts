import type { Ledger } from "./ledger.ts";
import { KEPT_QUESTIONS, type NewestQuestion, type QuestionGroup } from "./questions.ts";
import { volumeOfId } from "./volumes.ts";

/** Unanswered questions with the same words, and the newest of them as it was asked. */
export type AskedGroup = Pick<QuestionGroup, "agent_id" | "times"> & NewestQuestion;

/** Returns a page of the groups of unanswered questions over all volumes, the last asked first. */
export async function pageOfQuestions(
  ledger: Ledger,
  { agent_ids, limit, offset }: { agent_ids: readonly string[] | null; limit: number; offset: number },
): Promise<{ questions: AskedGroup[]; total: number }> {
  const days = await ledger.days();
  const merged = new Map<string, QuestionGroup>();
  let room = KEPT_QUESTIONS;
  for (const day of days.toReversed()) {
    const { groups, read } = await ledger.volume(day).questionGroups(agent_ids, room);
    for (const group of groups) merge(merged, group);
    room -= read;
    if (room <= 0) break;
  }
  const page = [...merged.values()].toSorted(newestFirst).slice(offset, offset + limit);
  const byDay = Map.groupBy(page, ({ id }) => volumeOfId(days, id.slice(0, id.indexOf("/")), Number.MAX_SAFE_INTEGER));
  const asked = new Map<string, NewestQuestion>();
  for (const [day, groups] of byDay) {
    if (day === null) continue;
    for (const one of await ledger.volume(day).questions(groups.map(({ id }) => id))) asked.set(one.id, one);
  }
  const questions = page.flatMap(({ id, agent_id, times }) => {
    const one = asked.get(id);
    return one ? [Object.assign({ agent_id, times }, one)] : [];
  });
  return { questions, total: merged.size };
}

function merge(merged: Map<string, QuestionGroup>, group: QuestionGroup): void {
  const key = `${group.agent_id} ${group.topic}`;
  const other = merged.get(key);
  const newest = other && newestFirst(other, group) < 0 ? other : group;
  merged.set(key, Object.assign({}, newest, { times: group.times + (other?.times ?? 0) }));
}

function newestFirst(a: QuestionGroup, b: QuestionGroup): number {
  if (a.at !== b.at) return a.at < b.at ? 1 : -1;
  return a.id < b.id ? 1 : -1;
}
