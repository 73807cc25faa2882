import Papa from "papaparse";
import { expect } from "vitest";
import type { Answer, Client } from "../support/client.ts";
import { field, formBytes, type Part } from "./multipart.ts";
import type { Campaign, Contact } from "./support.ts";

export const json = (name: string, value: unknown) => field(name, JSON.stringify(value));
export const columns = (value: unknown) => json("columns", value);
export const rows = (value: unknown) => json("rows", value);
export const SKIP = field("on_invalid", "skip");

/** Returns the response to a form with these parts, as problem+json if it is refused. */
export function send<T = Campaign>(client: Client, parts: Part[], path = "/api/v1/campaigns"): Promise<Answer<T>> {
  return client.send<T>("POST", path, formBytes(parts, "b"), {
    "content-type": "multipart/form-data; boundary=b",
    accept: "application/problem+json",
  });
}

export async function created(client: Client, ...parts: Part[]): Promise<Campaign & { path: string }> {
  const { status, body } = await send(client, parts);
  expect([status, body]).toEqual([201, expect.anything()]);
  return Object.assign(body, { path: `/api/v1/campaigns/${body.id}` });
}

export async function contactsOf(client: Client, path: string) {
  const { contacts } = (await client.get<{ contacts: Contact[] }>(`${path}/contacts?limit=1000`)).body;
  return contacts.map(({ phone_number, variables }) => [phone_number, variables]);
}

export const table = async (client: Client, path: string) =>
  Papa.parse<string[]>((await client.get<string>(path)).body, { newline: "\r\n", skipEmptyLines: true }).data;

export const LIST =
  "Mobile;Vorname;Notes\n" +
  "+1 202 555 0101;Ada;secret 1\n" +
  "12;Grace;secret 2\n" +
  "+12025550103;Test;secret 3\n" +
  "13;Alan;secret 4\n" +
  "+12025550101;Ada again;secret 5\n";
export const MAPPED = { phone_number: "Mobile", first_name: "Vorname", Notes: null };
