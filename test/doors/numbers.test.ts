import { describe, expect, it } from "vitest";
import { check } from "../../src/browser/console/screens/campaigns/file/scan.ts";
import { shapeOf } from "../../src/browser/console/screens/campaigns/file/shape.ts";
import { readPasted } from "../../src/browser/console/screens/do-not-call/pasted-numbers.ts";
import { canonicalNumber, groupedNumber } from "../../src/kernel/numbers/read-number.ts";
import { append, FROM, upload } from "../campaign/support.ts";
import { callToken } from "../conversation/runtime/support.ts";
import { modern } from "../mcp/support.ts";
import { type Caller, caller, originate, setTargets, settled, slowly } from "../phone/calls/support.ts";
import { type Answer, Client, call } from "../support/client.ts";

/** A text with its E.164 number, or null and the suggested number, if there is one. */
type Spelling = [written: string, e164: string | null, likely?: string];

/** Spellings of numbers, one person per number, and texts that are not numbers. */
const SPELLINGS: Spelling[] = [
  ["+447911123456", "+447911123456"],
  ["+4407911123456", "+447911123456"],
  ["+44 07911 123456", "+447911123456"],
  ["+44 (0)7911 123456", "+447911123456"],
  ["0044 7911 123456", "+447911123456"],
  ["tel:+44-7911-123456", "+447911123456"],
  ["+49 0151 23456789", "+4915123456789"],
  ["+54 11 15-1234-5678", "+5491112345678"],
  ["+12025550143.0", "+12025550143"],
  ["+1 1 202 555 0143", "+12025550143"],
  ["+52 1 55 1234 5678", null, "+525512345678"],
  ["447911123456", null, "+447911123456"],
  ["202 555 0143", null, "+12025550143"],
  ["+1 202 555 0143 x12", null, "+12025550143"],
  ["+1 202 555 0143/44", null],
  ["+12025550143, +12025550144", null],
  ["+4912500", null],
  ["+13031000001", null],
  ["9876543210.0", null],
  ["-12025550143", null],
  ["12500", null],
  ["nobody", null],
];

/** The number that an endpoint reads, or its refusal: the error's slug and message. */
type Passed = { e164: string } | { refused: string; says: string };

/** Every way in which a person, a file or a request enters a number. */
const DOORS: Record<string, (who: Caller, written: string) => Promise<Passed>> = {
  "a row of an upload": async ({ server }, written) => {
    const { body } = await upload(server, fileOf(written), { on_invalid: "skip" });
    return importedFrom({ server }, body.id);
  },
  "a row that an upload corrects": async ({ server }, written) => {
    const form = new FormData();
    form.set("rows", JSON.stringify({ 2: { phone_number: written } }));
    form.set("on_invalid", "skip");
    form.set("contacts", new File([fileOf("nobody")], "contacts.csv", { type: "text/csv" }));
    const { body } = await server.send<{ id: string }>("POST", "/api/v1/campaigns", form);
    return importedFrom({ server }, body.id);
  },
  "a row of a list that is added": async ({ server }, written) => {
    const { body } = await upload(server, `phone_number\n${FROM}\n`);
    await append(server, `/api/v1/campaigns/${body.id}`, fileOf(written), { on_invalid: "skip" });
    return importedFrom({ server }, body.id);
  },
  "the console's preview of a file": async (_, written) => {
    const bytes = new TextEncoder().encode(fileOf(written));
    const shape = shapeOf(bytes, true);
    if (typeof shape === "string") throw new Error(shape);
    const corrections = { columns: new Map(), rows: new Map() };
    const { first, rejects } = await check({ file: new Blob([bytes]), shape, corrections, country: null }, () => {});
    return readOf(first, rejects);
  },
  "numbers pasted into the console": async (_, written) => {
    const { numbers } = readPasted(written, canonicalNumber);
    const [e164] = numbers;
    // The form accepts several numbers, so it reports no error for them.
    return e164 === undefined || numbers.length > 1 ? NOT_TOLD : { e164 };
  },
  "PATCH of a contact": async ({ server }, written) => {
    const { body } = await upload(server, "phone_number\n+12025550199\n");
    const path = `/api/v1/campaigns/${body.id}/contacts`;
    const { contacts } = (await server.get<{ contacts: { id: string }[] }>(path)).body;
    return passed(await server.patch(`${path}/${contacts[0]?.id}`, { phone_number: written }), "phone_number");
  },
  "the filter of contacts": async ({ server }, written) => {
    const { body } = await upload(server, `phone_number\n${known().join("\n")}\n`);
    return listed(
      server.get(`/api/v1/campaigns/${body.id}/contacts?phone_number=${encodeURIComponent(written)}`),
      "contacts",
    );
  },
  "POST of do-not-call": async ({ server }, written) => {
    const answer = await server.post("/api/v1/do-not-call", { numbers: [written, "+12025550198"] });
    if (answer.status !== 201) return refused(answer);
    const { numbers } = (await server.get<{ numbers: { phone_number: string }[] }>("/api/v1/do-not-call?limit=100"))
      .body;
    for (const { phone_number } of numbers) await server.delete(`/api/v1/do-not-call/${phone_number}`);
    return { e164: numbers.map(({ phone_number }) => phone_number).find((one) => one !== "+12025550198") ?? "" };
  },
  "the filter of do-not-call": async ({ server }, written) => {
    await server.post("/api/v1/do-not-call", { numbers: known() });
    return listed(server.get(`/api/v1/do-not-call?phone_number=${encodeURIComponent(written)}`), "numbers");
  },
  "DELETE of do-not-call": async ({ server }, written) => {
    await server.post("/api/v1/do-not-call", { numbers: known() });
    const answer = await server.delete(`/api/v1/do-not-call/${encodeURIComponent(written)}`);
    if (answer.status !== 204) return refused(answer);
    const { numbers } = (await server.get<{ numbers: { phone_number: string }[] }>("/api/v1/do-not-call?limit=100"))
      .body;
    const still = numbers.map(({ phone_number }) => phone_number);
    return { e164: known().find((number) => !still.includes(number)) ?? "" };
  },
  "whom a call goes to": async (who, written) => passed(await originate(who, written), "to_number"),
  "whom a call comes from": async (who, written) => {
    const { server } = who;
    await registered(who);
    const body = { agent_id: who.agent_id, from_number: written, to_number: "+13035550110" };
    return passed(await server.post("/api/v1/calls/originate", body), "from_number");
  },
  "a transfer target": async ({ server, agent_id }, written) => {
    const transfer_targets = [{ label: "Front desk", number: written }];
    const answer = await server.patch<{ transfer_targets: { number: string }[] }>(`/api/v1/agents/${agent_id}`, {
      transfer_targets,
    });
    return answer.status === 200 ? { e164: answer.body.transfer_targets[0]?.number ?? "" } : refused(answer);
  },
  "a transfer by a runtime": async (who, written) => {
    const number = canonicalNumber(written);
    // A transfer ends the call, so only one of the valid spellings is tried.
    if (number !== null && written !== "+44 07911 123456") return { e164: number };
    const runtime = await talking(who);
    return passed(await runtime.post("/api/runtime/v1/session/transfer", { to_number: written }), "to_number");
  },
  "a number of one's own": async ({ server }, written) => {
    const answer = await server.post<{ id: string }>("/api/v1/telephony/numbers", {
      e164: written,
      provider: "sandbox",
    });
    if (answer.status === 201) await server.delete(`/api/v1/telephony/numbers/${answer.body.id}`);
    return passed(answer, "e164");
  },
  "the number that a campaign calls from": async (who, written) => {
    await registered(who);
    const { body } = await upload(who.server, `phone_number\n+12025550199\n`);
    return passed(await who.server.patch(`/api/v1/campaigns/${body.id}`, { from_number: written }), "from_number");
  },
  "the same in the form": async (who, written) => {
    await registered(who);
    return passed(await upload(who.server, `phone_number\n+12025550199\n`, { from_number: written }), "from_number");
  },
  "the filter of calls": async (who, written) => {
    await placed(who);
    return listed(who.server.get(`/api/v1/calls?phone_number=${encodeURIComponent(written)}`), "calls", "to_number");
  },
  "the filter of conversations": async ({ server }, written) => {
    const answer = await server.get(`/api/v1/conversations?phone_number=${encodeURIComponent(written)}`);
    return answer.status === 200 ? { e164: canonicalNumber(written) ?? "" } : refused(answer);
  },
  "an erasure": async ({ server }, written) => {
    await server.post("/api/v1/do-not-call", { numbers: known() });
    const answer = await server.post<{ hint: string }>("/api/v1/erasures", { phone_number: written });
    if (answer.status !== 202) return refused(answer);
    return { e164: known().find((number) => answer.body.hint === `…${number.slice(-2)}`) ?? "" };
  },
  "a test call from a number": async ({ server, agent_id }, written) => {
    const { numbers } = (await server.get<{ numbers: { id: string }[] }>("/api/v1/telephony/numbers")).body;
    await server.patch(`/api/v1/telephony/numbers/${numbers[0]?.id}`, { agent_id });
    const body = { to_number: FROM, from_number: written, says: [] };
    return passed(await tested(server, body), "from_number");
  },
  "a test call to a number": async (who, written) => {
    await registered(who);
    return passed(await tested(who.server, { to_number: written, says: [] }), "to_number");
  },
  "place_call of MCP": async ({ server, agent_id, from_number }, written) => {
    const order = { agent_id, from_number, to_number: written };
    const { result } = await modern(server, "tools/call", { name: "place_call", arguments: order });
    const effect = result?.structuredContent?.effect as { to_numbers: string[] } | undefined;
    return effect
      ? { e164: effect.to_numbers[0] ?? "" }
      : { refused: "invalid_number", says: result?.content?.[0]?.text ?? "" };
  },
  "search_conversations of MCP": async ({ server }, written) => {
    const search = { name: "search_conversations", arguments: { phone_number: written } };
    const { result } = await modern(server, "tools/call", search);
    if (!result?.isError) return { e164: canonicalNumber(written) ?? "" };
    return { refused: "invalid_number", says: result.content?.[0]?.text ?? "" };
  },
};

/** The fields of requests that contain numbers. Each uses one of the doors above. */
const FIELDS = [
  "DELETE /api/v1/do-not-call/{e164} e164",
  "GET /api/v1/calls phone_number",
  "GET /api/v1/calls/export phone_number",
  "GET /api/v1/campaigns/{id}/contacts phone_number",
  "GET /api/v1/campaigns/{id}/export phone_number",
  "GET /api/v1/conversations phone_number",
  "GET /api/v1/conversations/export phone_number",
  "GET /api/v1/do-not-call phone_number",
  "PATCH /api/v1/agents/{id} transfer_targets.number",
  "PATCH /api/v1/campaigns/{id} from_number",
  "PATCH /api/v1/campaigns/{id}/contacts/{contactId} phone_number",
  "POST /api/runtime/v1/session/transfer to_number",
  "POST /api/v1/agents transfer_targets.number",
  "POST /api/v1/calls/originate from_number",
  "POST /api/v1/calls/originate to_number",
  "POST /api/v1/campaigns from_number",
  "POST /api/v1/do-not-call numbers",
  "POST /api/v1/erasures phone_number",
  "POST /api/v1/sandbox/calls from_number",
  "POST /api/v1/sandbox/calls to_number",
  "POST /api/v1/telephony/numbers e164",
];
/** Fields with numbers that were already stored, which operators copy from a backup. */
const STORED = ["PUT /api/admin/v1/accounts/{account}/restore/erasures/{erasure} phone_number"];

describe("a phone number in any spelling identifies one person", () => {
  it.each(Object.entries(DOORS))("at the door of %s", async (_, door) => {
    const who = await caller();
    const seen: [string, string | null][] = [];
    for (const [written, , likely] of SPELLINGS) {
      const read = await door(who, written);
      seen.push([written, "e164" in read ? read.e164 : null]);
      if ("e164" in read || read === NOT_TOLD) continue;
      expect.soft(read.refused, written).toBe("invalid_number");
      if (likely !== undefined) expect.soft(read.says, written).toContain(`did you mean ${groupedNumber(likely)}?`);
      else expect.soft(read.says, written).not.toContain("did you mean");
    }
    expect(seen).toEqual(SPELLINGS.map(([written, e164]) => [written, e164]));
  });

  it("in every field of a request that takes a number", async () => {
    const { body } = await call<OpenApi>("GET", "/openapi.json");
    expect([...numberFields(body)].sort()).toEqual([...FIELDS, ...STORED].sort());
  });
});

/** The result for an endpoint that reports only that it got no number. */
const NOT_TOLD = { refused: "invalid_number", says: "" };

/** Returns the numbers of all spellings, each once. */
const known = () => [...new Set(SPELLINGS.flatMap(([, e164]) => e164 ?? []))];
const fileOf = (written: string) => `phone_number,name\n"${written}",Ada\n${FROM},Own\n`;

async function registered({ server, agent_id }: Caller): Promise<void> {
  for (const e164 of known()) await server.post("/api/v1/telephony/numbers", { e164, provider: "sandbox", agent_id });
}

/** Creates a runtime that holds a call whose agent may transfer callers. */
async function talking(who: Caller): Promise<Client> {
  await setTargets(who, { Desk: "+447911123456" });
  await slowly(who, { SANDBOX_RING_MS: "5" });
  const { call_id } = (await originate(who, "+13035550111")).body;
  await settled(who.server, call_id, ({ status }) => status === "in-progress");
  const token = await callToken({ sub: call_id, account: who.account, agent_id: who.agent_id });
  return new Client({ authorization: `Bearer ${token}` });
}

/** Places a test call and hangs it up at once, because a caller may not have many calls at a time. */
async function tested(server: Client, body: object): Promise<Answer> {
  const answer = await server.post<{ call_id: string }>("/api/v1/sandbox/calls", body);
  if (answer.status === 200) await server.post(`/api/v1/calls/${answer.body.call_id}/hangup`);
  return answer;
}

const places = new WeakSet<Caller>();
async function placed(who: Caller): Promise<void> {
  if (places.has(who)) return;
  places.add(who);
  for (const number of known()) expect((await originate(who, number)).status).toBe(200);
}

function passed({ status, body, ...answer }: Answer, field: string): Passed {
  if (status >= 400) return refused({ status, body, ...answer });
  return { e164: (body as Record<string, string>)[field] ?? "" };
}

const refused = ({ code, body }: Answer): Passed => ({ refused: code ?? "", says: String(body) });

async function listed(asked: Promise<Answer>, plural: string, field = "phone_number"): Promise<Passed> {
  const answer = await asked;
  if (answer.status !== 200) return refused(answer);
  const rows = (answer.body as Record<string, Record<string, string>[]>)[plural] ?? [];
  expect(rows.length).toBe(1);
  return { e164: rows[0]?.[field] ?? "" };
}

/** Returns the result of the row before the account's own number. */
async function importedFrom({ server }: Pick<Caller, "server">, id: string): Promise<Passed> {
  const path = `/api/v1/campaigns/${id}`;
  const { contacts } = (await server.get<{ contacts: { phone_number: string }[] }>(`${path}/contacts`)).body;
  const rejects = (await server.get<string>(`${path}/rejects`)).body;
  return readOf(
    contacts,
    rejects
      .split("\r\n")
      .slice(1)
      .filter(Boolean)
      .map((reason) => ({ reason })),
  );
}

function readOf(contacts: { phone_number: string }[], rejects: { reason: string }[]): Passed {
  const [rejected] = rejects;
  if (rejected) return { refused: "invalid_number", says: rejected.reason };
  return { e164: contacts.find(({ phone_number }) => phone_number !== FROM)?.phone_number ?? "" };
}

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
  $ref?: string;
}
interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
}
interface Parameter {
  name: string;
}
interface Operation {
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

const IS_NUMBER = /^(?:phone_number|from_number|to_number|e164|numbers|transfer_targets\.number)$/;

function* numberFields({ paths, components }: OpenApi): Generator<string> {
  const last = (ref: string) => ref.split("/").at(-1) ?? "";
  function* within(schema: Schema, path: string[]): Generator<string> {
    const name = path.join(".");
    if (IS_NUMBER.test(name)) yield name;
    if (schema.$ref) yield* within(components.schemas[last(schema.$ref)] ?? {}, path);
    for (const part of [...(schema.anyOf ?? []), ...(schema.allOf ?? [])]) yield* within(part, path);
    if (schema.items) yield* within(schema.items, path);
    for (const [field, member] of Object.entries(schema.properties ?? {})) yield* within(member, [...path, field]);
  }
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { parameters = [], requestBody }] of Object.entries(operations)) {
      const named = parameters.map(
        (one) => ("$ref" in one ? components.parameters[last(one.$ref)]?.name : one.name) ?? "",
      );
      const bodies = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => [...within(schema, [])]);
      const fields = new Set([...named.filter((name) => IS_NUMBER.test(name)), ...bodies]);
      for (const field of fields) yield `${method.toUpperCase()} ${path} ${field}`;
    }
  }
}
