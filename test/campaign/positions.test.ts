import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Client, tenant } from "../support/client.ts";
import { append, type Campaign, type Contact, contactOf, ready, upload, watch } from "./support.ts";

type Placed = Contact & { position: number };

const pathOf = ({ body }: { body: Campaign }) => `/api/v1/campaigns/${body.id}`;
const listed = async (client: Client, path: string, query = "") =>
  (await client.get<{ contacts: Placed[] }>(`${path}/contacts?limit=1000${query}`)).body.contacts;
const positions = (contacts: Placed[]) => contacts.map(({ position }) => position);
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);
const csv = (numbers: number[]) => `phone_number,name\n${numbers.map((n) => `+120255501${n},N${n}\n`).join("")}`;
const unique = (numbers: number[]) => [...new Set(numbers)].map((n) => `+120255501${n}`);

describe("positions of contacts", () => {
  it("number the list without gaps, wherever rows were dropped, and continue in later uploads", async () => {
    const { server } = await tenant();
    const numbers = fc.array(fc.integer({ min: 10, max: 40 }), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(numbers, numbers, async (first, second) => {
        const path = pathOf(await upload(server, csv(first)));
        await append(server, path, csv(second));
        const contacts = await listed(server, path);
        expect(contacts.map(({ phone_number }) => phone_number)).toEqual(unique([...first, ...second]));
        expect(positions(contacts)).toEqual(upTo(contacts.length));
        await server.delete(path);
      }),
      { numRuns: 15 },
    );
  });

  it("a contact's position is that in the whole list, even when filtered", async () => {
    const who = await tenant();
    const { server } = who;
    const settings = await ready(who);
    const created = await upload(server, csv([20, 20, 21, 22, 21, 23, 20, 24]), settings);
    const path = pathOf(created);
    expect(positions(await listed(server, path, "&search=N22"))).toEqual([3]);
    expect(positions(await listed(server, path, "&phone_number=%2B12025550123"))).toEqual([4]);
    expect(positions(await listed(server, path, "&status=pending&offset=2"))).toEqual([3, 4, 5]);
    const third = await contactOf(server, path, 2);
    expect(third).toMatchObject({ position: 3, variables: { name: "N22" } });
    const patched = await server.patch(`${path}/contacts/${third.id}`, { variables: { name: "Ada" } });
    expect(patched.body).toMatchObject({ position: 3 });
    await server.post(`${path}/contacts/${third.id}/cancel`);
    const entries = await watch(server, created.body.id, ({ event }) => event === "cancelled");
    expect(entries.find(({ event }) => event === "cancelled")?.data).toMatchObject({
      contact_id: third.id,
      position: 3,
    });
  });

  it("follow the list when national numbers are read again, and start over in a clone", async () => {
    const { server } = await tenant();
    // The country comes after the file.
    const list = "phone_number\n2025550120\n+12025550121\n+12025550121\n+12025550122\n";
    const path = pathOf(await upload(server, list, { default_country: "US" }));
    const contacts = await listed(server, path);
    expect(positions(contacts)).toEqual([1, 2, 3]);
    await server.post(`${path}/contacts/${contacts[1]?.id}/cancel`);
    const clone = pathOf(await server.post<Campaign>(`${path}/clone`, { contacts: "all" }));
    const cloned = async () => listed(server, clone);
    await expect.poll(async () => positions(await cloned())).toEqual([1, 2, 3]);
  });
});
