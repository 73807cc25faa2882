import { callerOf } from "../../phone/inbound/caller.ts";

/** How the meter finds a person. */
export interface MeteredPerson {
  /** E.164 */
  numbers: string[];
  visitors: string[];
  conversations: string[];
}

/**
 * Forgets a person in the meter's storage: what is counted by caller, visitor and conversation, and the caller of leases,
 * which are held until their calls end. Gives how many rows there were.
 */
export function forgetMetered(
  { sql, transactionSync }: Pick<DurableObjectStorage, "sql" | "transactionSync">,
  { numbers, visitors, conversations }: MeteredPerson,
): number {
  const callers = numbers.map(callerOf);
  const holders = [...conversations.map((id) => `conversation ${id}`), ...visitors.map((id) => `visitor ${id}`)];
  const named = "IN (SELECT value FROM json_each(?))";
  const steps: [string, string[]][] = [
    [`UPDATE call_leases SET caller = NULL WHERE caller ${named}`, callers],
    [`DELETE FROM caller_days WHERE caller ${named}`, callers],
    [`DELETE FROM visitor_days WHERE who ${named}`, visitors.map((id) => `visitor ${id}`)],
    [`DELETE FROM tool_runs_of_day WHERE visitor ${named}`, visitors],
    [`DELETE FROM tool_runs_of_minute WHERE holder ${named}`, holders],
  ];
  return transactionSync(() =>
    steps.reduce((rows, [statement, values]) => {
      return rows + sql.exec(`${statement} RETURNING 1`, JSON.stringify(values)).toArray().length;
    }, 0),
  );
}
