import { afterAll, beforeAll, expect, it } from "vitest";
import { ApiClient } from "../../../src/dev/client.ts";
import { LONG_PASSWORD } from "../../../src/dev/demo-data.ts";
import { createAccount } from "../campaigns/account.ts";
import { Service } from "../campaigns/service.ts";

const CLIENTS = 20;
const ROUNDS = 30;

let service: Service;
let people: ApiClient[];

beforeAll(async () => {
  service = await Service.prepare({});
  await service.start();
  const owner = await createAccount(service.url);
  const signIn = () => new ApiClient(service.url, fetch).signIn(owner, LONG_PASSWORD);
  people = await Promise.all(Array.from({ length: CLIENTS }, signIn));
}, 240_000);

afterAll(() => service?.remove());

/** An agent whose description is a number that only grows, with the numbers that clients have seen. */
interface Row {
  id: string;
  /** The newest value that was read, or written and confirmed. */
  floor: number;
  written: number;
}

async function read(client: ApiClient, row: Row, way: "one" | "list"): Promise<void> {
  const { floor } = row;
  const agent =
    way === "one"
      ? await client.get<{ id: string; description: string }>(`/api/v1/agents/${row.id}`)
      : (await client.get<{ id: string; description: string }[]>("/api/v1/agents")).find(({ id }) => id === row.id);
  const seen = Number(agent?.description);
  expect(seen).toBeGreaterThanOrEqual(floor);
  row.floor = Math.max(row.floor, seen);
}

async function write(client: ApiClient, row: Row): Promise<void> {
  const number = ++row.written;
  await client.send("PATCH", `/api/v1/agents/${row.id}`, { description: String(number) });
  row.floor = Math.max(row.floor, number);
}

it("20 concurrent clients never read older data than a response sent before their request", async () => {
  const [first] = people;
  const created = await first?.post<{ id: string }>("/api/v1/agents", { name: "counted", description: "0" });
  const row: Row = { id: created?.id ?? "", floor: 0, written: 0 };
  // Only one write runs at a time: if two overtook each other, the smaller value would be written last.
  let turn = Promise.resolve();
  const client = async (who: ApiClient, n: number) => {
    for (let round = 0; round < ROUNDS; round++) {
      if ((round + n) % 10 === 0) {
        turn = turn.then(() => write(who, row));
        await turn;
      } else await read(who, row, (round + n) % 3 === 0 ? "list" : "one");
    }
  };
  await Promise.all(people.map(client));
  expect(row.floor).toBe(row.written);
  expect(row.written).toBe((CLIENTS * ROUNDS) / 10);
}, 120_000);
