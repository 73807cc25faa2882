import fc from "fast-check";
import { expect, it } from "vitest";
import { CONTACT_STATUSES } from "../../src/campaign/decide/state.ts";
import { tenant } from "../support/client.ts";
import { evict } from "../support/evict.ts";
import { broken } from "./chain.ts";
import { erase, leftovers, objectOf } from "./erasing.ts";
import { append, type Campaign, type Contact, contactOf, ready, until, upload } from "./support.ts";

const NUMBER = "+13035550110";
/** Spellings of the number in files and by users. */
const WRITTEN = ["+13035550110", "303-555-0110", "(303) 555 0110", "001 303 555.0110", "3035550110"];
/** In the sandbox 10 and 11 answer, 01 is busy and 02 doesn't answer. */
const ENDINGS = ["10", "11", "01", "02"];

const written = fc.constantFrom(...WRITTEN);
const text = fc.oneof(
  fc.constantFrom("", "Ada", "likes tea", "3035550199"),
  written,
  fc
    .tuple(fc.constantFrom("wife of ", "call\t"), written, fc.constantFrom("", ", at night"))
    .map((parts) => parts.join("")),
);
const other = fc
  .tuple(fc.integer({ min: 200, max: 999 }), fc.constantFrom(...ENDINGS))
  .map(([n, ending]) => `+1303555${String(n).slice(0, 2)}${ending}`);
/** A row of a file: a contact, a duplicate, or an invalid row. */
const row = fc.tuple(
  fc.oneof(
    { weight: 4, arbitrary: other },
    { weight: 1, arbitrary: written },
    { weight: 1, arbitrary: fc.constant("12") },
  ),
  text,
  text,
);
const rows = fc.array(row, { minLength: 1, maxLength: 8 });
const campaign = fc.record({
  first: rows,
  second: fc.option(rows),
  name: text,
  isCalled: fc.boolean(),
  /** A contact that is corrected to this number, or from it to another. */
  correct: fc.option(fc.tuple(fc.nat(7), fc.constantFrom(NUMBER, "+13035559901"))),
  cancels: fc.boolean(),
  /** The limits of a call, and after which calls the object is evicted or a contact is canceled. */
  limits: fc.record({ steps: fc.integer({ min: 1, max: 3 }), rows: fc.integer({ min: 1, max: 4 }) }),
  evictions: fc.array(fc.boolean(), { minLength: 5, maxLength: 20 }),
  cancelled: fc.nat(5),
});

const cell = (value: string) => `"${value.replaceAll('"', '""')}"`;
const csv = (of: string[][]) => ["phone_number,name,note", ...of.map((cells) => cells.map(cell).join(","))].join("\n");

it("erasing a person removes the number from every table and keeps counters and chain, even through crashes", async () => {
  const who = await tenant();
  const { server } = who;
  const settings = await ready(who);
  const file = { on_invalid: "skip", default_country: "US" };
  await fc.assert(
    fc.asyncProperty(
      campaign,
      async ({ first, second, name, isCalled, correct, cancels, limits, evictions, cancelled }) => {
        const created = await upload(server, csv([["+13035558010", "", ""], ...first]), {
          ...settings,
          ...file,
          name: name || "Ask",
        });
        expect(created.status, JSON.stringify(created.body)).toBe(201);
        const path = `/api/v1/campaigns/${created.body.id}`;
        const record = async () => (await server.get<Campaign>(path)).body;
        if (second) await append(server, path, csv(second), file);
        if (correct) {
          const [place, phone_number] = correct;
          const { id } = await contactOf(server, path, place % (await record()).total_contacts);
          await server.patch(`${path}/contacts/${id}`, { phone_number, variables: { note: WRITTEN[1] } });
        }
        if (cancels) await server.post(`${path}/contacts/${(await contactOf(server, path)).id}/cancel`);
        if (isCalled) {
          await server.post(`${path}/start`);
          await until(record, ({ status }) => status === "completed");
        }
        const before = await record();
        let calls = 0;
        const last = await contactOf(server, path, before.total_contacts - 1);
        const between = async () => {
          if (evictions[calls]) await evict(objectOf(who, path));
          if (calls++ === cancelled) await server.post(`${path}/contacts/${last.id}/cancel`);
        };
        await erase(who, path, [NUMBER], { between, limits: { steps: limits.steps, rows: limits.rows } });
        expect(await leftovers(who, path, NUMBER)).toEqual([]);
        const after = await record();
        expect(Object.values(after.counts).reduce((sum, n) => sum + n)).toBe(before.total_contacts);
        expect(after.import).toMatchObject({
          accepted: before.import.accepted,
          rejected: before.import.rejected,
          duplicates: before.import.duplicates,
        });
        const { contacts } = (await server.get<{ contacts: Contact[] }>(`${path}/contacts?limit=100`)).body;
        for (const status of CONTACT_STATUSES)
          expect(contacts.filter((contact) => contact.status === status).length, status).toBe(after.counts[status]);
        expect(contacts.every((contact) => contact.phone_number !== "[PHONE]" || contact.status !== "pending")).toBe(
          true,
        );
        expect(broken((await server.get<string>(`${path}/history`)).body)).toBe(null);
        for (const exported of ["export", "rejects", "duplicates"])
          expect((await server.get<string>(`${path}/${exported}`)).body.replace(/[ ().\t-]/g, "")).not.toContain(
            "3035550110",
          );
        await server.post(`${path}/stop`);
        expect((await server.delete(path)).status).toBe(204);
      },
    ),
    { numRuns: 25 },
  );
});
