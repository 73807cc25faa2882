import { describe, expect, it } from "vitest";
import { call, consoleUser, tenant } from "../../support/client.ts";
import { endedRow, events, held, LIVE, leftOf, objectDoes, PATH, type Page, putRows } from "./support.ts";

describe("a conversation", () => {
  it("a conversation cannot be read without a credential or with a visitor's session", async () => {
    const who = await tenant();
    const id = await held(who);
    for (const path of ["", `/${id}`, `/${id}/transcript`, `/${id}/trace`, `/${id}/events`])
      expect((await call("GET", PATH + path)).status, path).toBe(401);
    expect((await call("DELETE", `${PATH}/${id}`)).status).toBe(401);
    expect(await leftOf(who, id)).toEqual({ file: true, row: true });
  });

  it("another account's conversation is not listed, found, read or deleted", async () => {
    const [owner, other] = [await tenant(), await tenant()];
    const row = endedRow();
    const id = await held(owner, row);
    for (const query of [
      "",
      "?kind=call",
      `?call_id=${row.call_id}`,
      "?phone_number=%2B13035550110",
      "?agent_id=agent-1",
    ]) {
      const { body } = await other.server.get<Page>(PATH + query);
      expect(body.conversations, query).toEqual([]);
    }
    for (const path of ["", "/transcript", "/trace", "/events"])
      expect((await other.server.get(`${PATH}/${id}${path}`)).status, path).toBe(404);
    expect((await other.server.delete(`${PATH}/${id}`)).status).toBe(404);
    expect(await leftOf(owner, id)).toEqual({ file: true, row: true });
  });

  it("a conversation with the same id as another account's is read from its own account", async () => {
    const [owner, other] = [await tenant(), await tenant()];
    const row = endedRow();
    await held(owner, row);
    // The other account's conversation has the same id and call, but no file in R2.
    await held(other, row, null);
    const answer = await other.server.get<{ turns: unknown[] }>(`${PATH}/${row.id}`);
    expect([answer.status, answer.body.turns]).toEqual([200, []]);
    expect((await other.server.delete(`${PATH}/${row.id}`)).status).toBe(204);
    expect(await leftOf(owner, row.id)).toEqual({ file: true, row: true });
  });

  it("a conversation's object checks the reader's access while it is watched", async () => {
    const who = await tenant();
    const row = endedRow(LIVE);
    await putRows(who, [row]);
    const readers: unknown[] = [];
    await objectDoes(who, row.session_key, {
      detail: async () => ({ ...row, storage: "all", turns: [] }),
      events: async (_: unknown, reader: unknown) => {
        readers.push(reader);
        return new Response("x").body;
      },
    });
    const colleague = await consoleUser(who.account);
    for (const client of [who.server, colleague]) expect((await events(client, row.id)).status).toBe(200);
    expect(readers).toMatchObject([
      { credential: { key: expect.stringMatching(/^[\w+/=-]{40,}$/) }, until: null },
      { credential: { session: { embedded: true } }, until: expect.any(Number) },
    ]);
  });
});
