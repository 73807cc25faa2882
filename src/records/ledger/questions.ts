import { DAY_MS } from "../../kernel/time.ts";
import { oneOfAgents } from "./of-agents.ts";
import type { AskedQuestion, ConversationRow } from "./report.ts";

/** How many unanswered questions an account keeps. They are the newest ones. */
export const KEPT_QUESTIONS = 10_000;
/** How many questions a day are kept of one person, and of one conversation. */
const DAILY_QUESTIONS = 20;

type Asker = Pick<ConversationRow, "id" | "agent_id" | "visitor_id" | "phone_number">;

/** Unanswered questions of one agent with the same words. */
export type QuestionGroup = {
  agent_id: string;
  topic: string;
  times: number;
  /** The id of the newest of them. */
  id: string;
  at: string;
};

/** The newest question of a group, as it was asked. */
export type NewestQuestion = Pick<AskedQuestion, "id" | "at" | "question" | "query"> & { conversation_id: string };

/** Replaces the unanswered questions of a conversation, in the caller's transaction. */
export function writeQuestions(sql: SqlStorage, asker: Asker, asked: readonly AskedQuestion[]): void {
  sql.exec("DELETE FROM questions WHERE conversation_id = ?", asker.id);
  for (const { id, at, question, query, topic } of asked.slice(0, DAILY_QUESTIONS)) {
    if (askedThatDay(sql, asker, at) >= DAILY_QUESTIONS) continue;
    sql.exec(
      `INSERT OR IGNORE INTO questions (id, conversation_id, agent_id, at, question, query, topic)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      ...[id, asker.id, asker.agent_id, at, question, query, topic],
    );
  }
  if (asked.length === 0) return;
  const beyond = `SELECT id FROM questions ORDER BY at DESC, id DESC LIMIT -1 OFFSET ${KEPT_QUESTIONS}`;
  sql.exec(`DELETE FROM questions WHERE id IN (${beyond})`);
}

/** Counts the questions that the same person asked on the day of `at`, in any conversation. */
function askedThatDay(sql: SqlStorage, { visitor_id, phone_number }: Asker, at: string): number {
  const [column, value] = visitor_id === null ? ["phone_number", phone_number] : ["visitor_id", visitor_id];
  if (value === null) return 0;
  const day = at.slice(0, 10);
  const dayBefore = new Date(Date.parse(day) - DAY_MS).toISOString();
  return sql
    .exec<{ n: number }>(
      `SELECT count(*) AS n FROM conversations AS c JOIN questions AS q ON q.conversation_id = c.id
       WHERE c.${column} = ? AND c.started_at >= ? AND substr(q.at, 1, 10) = ?`,
      value,
      dayBefore,
      day,
    )
    .one().n;
}

/** Groups the newest `most` questions, without those of other agents. Also returns how many there are. */
export function questionGroups(
  sql: SqlStorage,
  agent_ids: readonly string[] | null,
  most: number,
): { groups: QuestionGroup[]; read: number } {
  const newest = "SELECT * FROM questions ORDER BY at DESC, id DESC LIMIT ?";
  const [where, ...of] = agent_ids === null ? ["1"] : oneOfAgents("agent_id", agent_ids);
  // With max(), SQLite returns the other columns of the row that has the maximum.
  const groups = sql
    .exec<QuestionGroup>(
      `SELECT agent_id, topic, count(*) AS times, id, max(at) AS at FROM (${newest}) WHERE ${where}
       GROUP BY agent_id, topic`,
      most,
      ...of,
    )
    .toArray();
  const { read } = sql.exec<{ read: number }>("SELECT min(count(*), ?) AS read FROM questions", most).one();
  return { groups, read };
}

/** Returns these questions. Questions that no longer exist are left out. */
export function questionsById(sql: SqlStorage, ids: readonly string[]): NewestQuestion[] {
  return sql
    .exec<NewestQuestion>(
      "SELECT id, conversation_id, at, question, query FROM questions WHERE id IN (SELECT value FROM json_each(?))",
      JSON.stringify(ids),
    )
    .toArray();
}
