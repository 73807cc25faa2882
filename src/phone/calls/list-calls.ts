import { z } from "zod";
import type { Bindings } from "../../kernel/http/context.ts";
import { openCursor, sealCursor } from "../../kernel/http/cursor.ts";
import type { OfAgents } from "../../kernel/http/own-agents.ts";
import { listedCalls } from "../../records/ledger/call-lists.ts";
import type { Ledger } from "../../records/ledger/ledger.ts";
import { callView } from "./call-view.ts";
import type { CallFilters } from "./filters.ts";

interface Context {
  env: Pick<Bindings, "SIGNING_KEYS">;
  account: string;
  ledger: Ledger;
}
interface Query extends CallFilters, OfAgents {
  limit: number;
  offset: number;
  after?: string | undefined;
}

/** The position of a page's end: the call before which the next page begins, and how many more it skips. */
const callsCursor = z.tuple([z.string().nullable(), z.number()]);

/** Returns a page of calls, newest first, with the total and where the list continues. */
export async function listCalls({ env, account, ledger }: Context, { limit, offset, after, ...filters }: Query) {
  const list = { account, list: "calls" };
  const [before, skipped] = after === undefined ? [null, 0] : await openCursor(env, list, after, callsCursor);
  const cursor = { before, skip: skipped + offset };
  const { rows, next, total, total_at_least } = await listedCalls(ledger, filters, cursor, limit);
  return {
    calls: rows.map(callView),
    total,
    total_at_least,
    limit,
    offset,
    next: next && (await sealCursor(env, list, [next.before, next.skip])),
  };
}
