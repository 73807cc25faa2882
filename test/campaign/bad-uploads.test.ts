import { describe, expect, it } from "vitest";
import { LIST_FORM } from "../../src/campaign/import/list-form.ts";
import { type Answer, type Client, tenant } from "../support/client.ts";
import { concat, field, file, formBytes, sendForm, sendStream } from "./multipart.ts";
import { type Campaign, contactsCsv, upload } from "./support.ts";

const MB = 1024 * 1024;
const HEADER = "phone_number,name\n";
const ADA = "+12025550101,Ada\n";
const columns = (n: number) => Array.from({ length: n - 1 }, (_, i) => `c${i}`).join(",");
const blob = (...pieces: Parameters<typeof concat>) => new Blob([concat(...pieces)]);
const utf16 = (text: string, bigEndian: boolean) =>
  Array.from(text).flatMap((c) => (bigEndian ? [0, c.charCodeAt(0)] : [c.charCodeAt(0), 0]));

/** Checks that the upload was refused with this message and left nothing behind. */
async function expectRefused(client: Client, answer: Answer, message: RegExp, status = 400): Promise<void> {
  expect([answer.status, answer.code]).toEqual([status, status === 413 ? "body_too_large" : "invalid_csv"]);
  expect(answer.body).toMatch(message);
  expect((await client.get<{ total: number }>("/api/v1/campaigns")).body.total).toBe(0);
}

interface Contact {
  phone_number: string;
  variables: Record<string, string>;
}

/** Returns the contacts of the campaign created from the upload. */
async function contactsOf(client: Client, created: Answer<Campaign>): Promise<Contact[]> {
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const path = `/api/v1/campaigns/${created.body.id}/contacts?limit=1000`;
  return (await client.get<{ contacts: Contact[] }>(path)).body.contacts;
}

describe("uploading an invalid list", () => {
  it.each<[string, string | Blob, RegExp]>([
    ["500 columns", `phone_number,${columns(500)}\n`, /header has 500 columns; the maximum is 200/],
    ["201 columns", `phone_number,${columns(201)}\n`, /header has 201 columns/],
    ["a column twice", "phone_number,name,name\n", /column name twice/],
    ["a column twice, spelled differently", "phone_number,First Name,name,first_name\n", /column first_name twice/],
    ["phone_number twice", "phone_number,name,phone_number\n", /column phone_number twice/],
    ["phone_number twice, spelled differently", "phone_number,name, PHONE-NUMBER \n", /column PHONE-NUMBER twice/],
    [
      "no column of numbers",
      "name,phonenumber\n",
      /must have a column named phone_number; its columns are name, phonenumber; this looks like phone numbers: phonenumber: rename the one to dial to phone_number$/,
    ],
    ["many columns and none of numbers", `${columns(60)}\n`, /its columns are c0, c1, .*, c19 and 39 more$/],
    [
      "several columns that could be it",
      " Phone ,name,MOBILE\n",
      /no column named phone_number, and several that could be it: Phone, MOBILE; rename the one to dial to phone_number/,
    ],
    ["UTF-16, little-endian", blob([0xff, 0xfe], utf16(HEADER + ADA, false)), /not UTF-8/],
    ["UTF-16, big-endian", blob([0xfe, 0xff], utf16(HEADER + ADA, true)), /not UTF-8/],
    ["UTF-16 without its mark", blob(utf16(HEADER + ADA, false)), /NUL bytes/],
    ["a NUL byte in the header", "phone_\0number\n", /NUL bytes/],
    ["a NUL byte in the last row", `${HEADER}${ADA.repeat(50)}+12025550102,A\0\n`, /NUL bytes/],
    ["Latin-1 in the header", blob("phone_number,pr", [0xe9], "nom\n", ADA), /not UTF-8/],
    ["Latin-1 in a row", blob(HEADER, ADA, "+12025550102,Andr", [0xe9], "\n", ADA), /not UTF-8/],
    ["a character cut off at the end", blob(HEADER, ADA, "+12025550102,Andr", [0xc3]), /not UTF-8/],
    ["half a surrogate pair", blob(HEADER, "+12025550102,", [0xed, 0xa0, 0xbd], "\n"), /not UTF-8/],
    ["a mark and nothing else", blob([0xef, 0xbb, 0xbf]), /empty/],
    ["blank lines and nothing else", "\r\n \r\n\r\n", /empty/],
    ["a row with too many fields", `${HEADER}+12025550101,Ada,London\n`, /line 2: has 3 fields, but the header has 2/],
    ["a quote that is not closed", `${HEADER}${ADA}+12025550102,"Bob\n`, /line 3: a quoted field is malformed/],
    [
      "more bad rows than can be named",
      `${HEADER}${"x\n".repeat(25)}`,
      /^line 2: .*line 11: .*; and 15 more \(invalid lines in total: 25\)$/s,
    ],
  ])("an upload is refused for %s", async (_, list, message) => {
    const { server } = await tenant();
    await expectRefused(server, await upload(server, list), message);
  });

  it.each([0, 1, 2, 3])(
    "an upload refuses an invalid UTF-8 character that starts %i bytes before a chunk boundary",
    async (before) => {
      const { server } = await tenant();
      const inFront = formBytes([file("|")], "b").indexOf("|".charCodeAt(0));
      const good = concat(HEADER, ADA.repeat(20_000)).slice(0, 256 * 1024 - inFront - before);
      const list = concat(good, [0xe2, 0x82], `x\n${ADA}`);
      await expectRefused(server, await sendForm(server, [file(list)], "b"), /not UTF-8/);
    },
  );

  it("names every invalid row when skipping them would leave no contacts", async () => {
    const { server } = await tenant();
    const answer = await upload(server, `${HEADER}x,Ada\n,Bob\n`, { on_invalid: "skip" });
    await expectRefused(server, answer, /line 2: phone_number "x" is not.*; line 3: phone_number is empty/);
  });

  it("refuses an unclosed quote followed by megabytes of text", async () => {
    const { server } = await tenant();
    const list = `${HEADER}${ADA}+12025550102,"Bob\n${ADA.repeat(200_000)}`;
    await expectRefused(
      server,
      await upload(server, list),
      /line 3: longer than 65536 characters; is a quote left open/,
    );
  });

  it("refuses a file of 100 MB that is a single line", async () => {
    const { server } = await tenant();
    const piece = "x".repeat(MB);
    await expectRefused(server, await sendStream(server, 100, () => piece), /line 1: longer than 65536|phone_number/);
  });

  it("refuses a row of 100 MB in an otherwise valid list", async () => {
    const { server } = await tenant();
    const piece = "x".repeat(MB);
    const answer = await sendStream(server, 100, (i) => (i === 0 ? `${HEADER}${ADA}+12025550102,` : piece));
    await expectRefused(server, answer, /line 3: longer than 65536/);
  });

  it("stops reading a form that is larger than the limit, compressed or not", async () => {
    const { server } = await tenant();
    const zeros = new Uint8Array(MB);
    let sent = 0;
    const answer = await sendStream(server, 200, () => {
      sent++;
      return zeros;
    });
    await expectRefused(server, answer, /NUL bytes/);
    expect(sent).toBeLessThan(LIST_FORM.received / MB + 10);
  });

  it("refuses a valid list of more than 100 MB", async () => {
    const { server } = await tenant();
    // Repeats the same few people with a long note, so that little is stored.
    const piece = `+12025550101,${"x".repeat(60_000)}\n`.repeat(10);
    const answer = await sendStream(server, 177, (i) => (i === 0 ? HEADER : piece));
    await expectRefused(server, answer, /larger than 100 MB/, 413);
  });
});

describe("uploading an unusual but valid list", () => {
  it.each<[string, string | Blob]>([
    ["semicolons", "phone_number;name;city\n+12025550101;Ada;London\n"],
    ["tabs, and CRLF", "phone_number\tname\tcity\r\n+12025550101\tAda\tLondon\r\n"],
    ["pipes, and commas in cells", "phone_number|name|city\n+12025550101|Ada|London\n"],
    ["the line ends of old", "phone_number,name,city\r+12025550101,Ada,London\r"],
    ["a quoted header with a mark before it", '\ufeff"phone_number","name","city"\n"+12025550101","Ada","London"\n'],
    ["a header with capitals and spaces", " Phone Number ,name,city\n+12025550101,Ada,London\n"],
    ["a column called Phone", "\ufeffPhone,name,city\n+12025550101,Ada,London\n"],
    ["a column called Mobile", "name, mobile ,city\nAda,+12025550101,London\n"],
    ["a column called Number", "NUMBER;name;city\n+12025550101;Ada;London\n"],
    ["a column called Telephone", "Telephone,name,city\n+12025550101,Ada,London\n"],
    ["empty lines", "phone_number,name,city\n\n \n+12025550101,Ada,London\n\n\n"],
    ["everybody twice", "phone_number,name,city\n+12025550101,Ada,London\n+1 202 555 0101,Bob,Paris\n"],
  ])("an upload is accepted with %s", async (_, list) => {
    const { server } = await tenant();
    const contacts = await contactsOf(server, await upload(server, list));
    expect(contacts).toMatchObject([{ phone_number: "+12025550101", variables: { name: "Ada", city: "London" } }]);
    expect(Object.keys(contacts[0]?.variables ?? {})).toEqual(["name", "city"]);
  });

  it("accepts a list that repeats one number, and counts the repeated rows as duplicates", async () => {
    const { server } = await tenant();
    const created = await upload(server, `${HEADER}${ADA.repeat(5_000)}`);
    expect(created.body).toMatchObject({
      total_contacts: 1,
      counts: { pending: 1 },
      import: { accepted: 1, rejected: 0, duplicates: 4_999 },
    });
    expect(await contactsOf(server, created)).toHaveLength(1);
  });

  it("accepts 200 columns", async () => {
    const { server } = await tenant();
    const cells = Array.from({ length: 199 }, (_, i) => `v${i}`);
    const created = await upload(server, `phone_number,${columns(200)}\n+12025550101,${cells.join(",")}\n`);
    const [contact] = await contactsOf(server, created);
    expect(Object.entries(contact?.variables ?? {})).toEqual(cells.map((cell, i) => [`c${i}`, cell]));
  });

  it("keeps columns named like properties of JavaScript objects", async () => {
    const { server } = await tenant();
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "prototype", "length", "0"];
    const created = await upload(
      server,
      `phone_number,${names.join(",")}\n+12025550101,${names.map((n) => `v-${n}`)}\n`,
    );
    const [contact] = await contactsOf(server, created);
    expect(new Map(Object.entries(contact?.variables ?? {}))).toEqual(new Map(names.map((n) => [n, `v-${n}`])));
    const exported = await server.get<string>(`/api/v1/campaigns/${created.body.id}/export`);
    expect(exported.body.split("\r\n")[1]).toContain(names.map((n) => `v-${n}`).join(","));
  });

  it("keeps every character, wherever chunk boundaries fall", async () => {
    const { server } = await tenant();
    for (const shift of [0, 1, 2]) {
      const names = Array.from({ length: 300 }, (_, i) => `${i}${"€".repeat(700)}`);
      const rows = names.map((name, i) => `+1202555${String(1_000 + i)},${name}\n`).join("");
      const created = await upload(server, `phone_number,${"n".repeat(shift + 1)}\n${rows}`);
      const contacts = await contactsOf(server, created);
      expect(contacts.map(({ variables }) => Object.values(variables)[0])).toEqual(names);
    }
  });

  it("keeps cells full of characters that JSON escapes", async () => {
    const { server } = await tenant();
    const cell = "\u0001".repeat(50_000);
    const rows = Array.from({ length: 12 }, (_, i) => `+1202555${1_000 + i},${cell}\n`);
    const contacts = await contactsOf(server, await upload(server, `${HEADER}${rows.join("")}`));
    expect(contacts.map(({ variables }) => variables.name)).toEqual(Array.from({ length: 12 }, () => cell));
  });
});

describe("uploading an unusual or invalid form", () => {
  const list = contactsCsv(2);

  it.each<[string, Parameters<typeof sendForm>[1], RegExp]>([
    ["two lists", [file(list), file(list)], /more than one file named contacts/],
    ["a list twice, once as a text field", [file(list), field("contacts", list)], /more than one file named contacts/],
    ["a huge text field", [field("name", "x".repeat(70_000)), file(list)], /field is too long/],
    ["101 parts", [...Array.from({ length: 100 }, (_, i) => field(`f${i}`, "x")), file(list)], /too many parts/],
    ["a part without a name", [{ headers: ["Content-Disposition: form-data"], content: "x" }, file(list)], /malformed/],
    ["a part with an empty name", [field("", "x"), file(list)], /no name/],
    ["a part without headers", [{ headers: [], content: "x" }, file(list)], /no name|malformed/],
    [
      "a file name in a broken encoding",
      [{ headers: [`Content-Disposition: form-data; name="contacts"; filename*=UTF-8''%zz`], content: list }],
      /malformed/,
    ],
    ["an invalid header", [{ headers: ["no header"], content: "x" }, file(list)], /malformed/],
    ["a header without an end", [{ headers: [`X: ${"x".repeat(20_000)}`], content: "x" }, file(list)], /malformed/],
    ["another file in place of the list", [file(list, "kontakte")], /no file named contacts/],
  ])("an upload is refused for %s", async (_, parts, message) => {
    const { server } = await tenant();
    await expectRefused(server, await sendForm(server, parts), message);
  });

  it.each([
    ["no boundary", "multipart/form-data", /no boundary/],
    ["an empty boundary", "multipart/form-data; boundary=", /malformed/],
    ["another boundary", "multipart/form-data; boundary=other", /ends before its last boundary/],
    ["a boundary that should be quoted", "multipart/form-data; boundary=a b:c", /malformed/],
  ])("an upload is refused if its content type has %s", async (_, type, message) => {
    const { server } = await tenant();
    await expectRefused(server, await sendForm(server, [file(list)], "the-boundary", type), message);
  });

  it("accepts boundaries of 70 characters, quoted ones and ones with unusual characters", async () => {
    const { server } = await tenant();
    const plain = "x".repeat(70);
    expect((await sendForm(server, [file(list)], plain)).status).toBe(201);
    expect((await sendForm(server, [file(list)], plain, `multipart/form-data; boundary="${plain}"`)).status).toBe(201);
    const odd = "'()+_,-./:=?--";
    expect((await sendForm(server, [file(list)], odd, `multipart/form-data; boundary="${odd}"`)).status).toBe(201);
    expect((await sendForm(server, [file(list)], "b", "Multipart/Form-Data; charset=utf-8; Boundary=b")).status).toBe(
      201,
    );
  });

  it("ignores unknown fields of any name", async () => {
    const { server } = await tenant();
    const names = ["__proto__", "constructor", "toString", "status", "id", "account", "importing"];
    const unknown = names.map((name) => field(name, '{"status":"running"}'));
    const created = await sendForm(server, [...unknown, field("name", "Mine"), file(list)]);
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ name: "Mine", status: "draft", total_contacts: 2 });
    expect(
      Object.keys(created.body)
        .filter((key) => names.includes(key))
        .sort(),
    ).toEqual(["id", "status"]);
  });

  it("accepts 100 parts, other files among them", async () => {
    const { server } = await tenant();
    const others = Array.from({ length: 99 }, (_, i) => file("other", `f${i}`));
    expect((await sendForm(server, [...others, file(list)])).status).toBe(201);
  });
});
