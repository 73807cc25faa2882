/**
 * Which credential opens which door, as docs/tokens.md shows it. There is a column for each kind of access in the
 * OpenAPI document, `job` for operators' doors that accept their tokens, and one for the socket. `open` means that the
 * credential is admitted; everything else is the refusal. A test compares the page with this table.
 */
export const TABLE = `
| shown                                              | account | console | session | server | operator | job      | runtime                    | socket  |
| -------------------------------------------------- | ------- | ------- | ------- | ------ | -------- | -------- | -------------------------- | ------- |
| nothing                                            | 401     | 401     | 401     | 401    | 401      | 401      | 401                        | 4401    |
| API key                                            | open    | 403     | 403     | open   | 403      | 403      | 401 session_token_required | 4401    |
| console token                                      | open    | open    | open    | 401    | 403      | 403      | 401                        | 4401    |
| operator's console token                           | 403     | 403     | open    | 403    | open     | open     | 401                        | 4401    |
| operator token                                     | 403     | 403     | 403     | 403    | 403      | open     | 400                        | 4401    |
| visitor's access token                             | 401     | 401     | 401     | 401    | 401      | 401      | 403 not_a_runtime          | widget  |
| visitor's refresh token                            | 401     | 401     | 401     | 401    | 401      | 401      | 401                        | 4401    |
| console's refresh token                            | 401     | 401     | 401     | 401    | 401      | 401      | 401                        | 4401    |
| visitor token                                      | 401     | 401     | 401     | 401    | 401      | 401      | 401                        | 4401    |
| tester's token                                     | 401     | 401     | 401     | 401    | 401      | 401      | 403 not_a_runtime          | widget  |
| call's carrier token                               | 401     | 401     | 401     | 401    | 401      | 401      | 403 not_a_runtime          | carrier |
| call's session token                               | 401     | 401     | 401     | 401    | 401      | 401      | open                       | 4401    |
| ticket of a stream                                 | 401     | 401     | 401     | 401    | 401      | 401      | 401                        | 4401    |
| state of a sign-in                                 | 401     | 401     | 401     | 401    | 401      | 401      | 401                        | 4401    |
| ticket of a sign-in                                | 401     | 401     | 401     | 401    | 401      | 401      | 401                        | 4401    |
| token of an invitation                             | 400     | 400     | 400     | 400    | 400      | 400      | 400                        | 4401    |
| token of a reset link                              | 400     | 400     | 400     | 400    | 400      | 400      | 400                        | 4401    |
| token of a confirmation                            | 400     | 400     | 400     | 400    | 400      | 400      | 400                        | 4401    |
| secret of a webhook                                | 400     | 400     | 400     | 400    | 400      | 400      | 400                        | 4401    |
| token of /metrics                                  | 400     | 400     | 400     | 400    | 400      | 400      | 400                        | 4401    |
| transfer token                                     | 401     | 401     | 401     | 401    | 401      | 401      | 401                        | 4401    |
| webhook token                                      | 400     | 400     | 400     | 400    | 400      | 400      | 400                        | 4401    |
| signature of a recording's address                 | 400     | 400     | 400     | 400    | 400      | 400      | 400                        | 4401    |
| widget key                                         | 400     | 400     | 400     | 400    | 400      | 400      | 400                        | 4401    |
| API key + visitor's access token                   | open    | 403     | 403     | open   | 403      | 403      | open                       | 4401    |
| API key + tester's token                           | open    | 403     | 403     | open   | 403      | 403      | open                       | 4401    |
| API key + call's carrier token                     | open    | 403     | 403     | open   | 403      | 403      | 401                        | 4401    |
| API key + call's session token                     | open    | 403     | 403     | open   | 403      | 403      | 401                        | 4401    |
| another account's API key + visitor's access token | open    | 403     | 403     | open   | 403      | 403      | 403 visitor_not_yours      | 4401    |
| console token + visitor's access token             | open    | open    | open    | 401    | 403      | 403      | 401                        | 4401    |
`;

/** Returns the table's rows: the credential, and the answer of each kind of endpoint. */
export function rowsOf(table: string): { shown: string; answers: Record<string, string> }[] {
  const cells = (line: string) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
  const [head = "", , ...lines] = table.trim().split("\n");
  const [, ...doors] = cells(head);
  return lines.map((line) => {
    const [shown = "", ...answers] = cells(line);
    return { shown, answers: Object.fromEntries(doors.map((door, i) => [door, answers[i] ?? ""])) };
  });
}
