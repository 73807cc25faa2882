import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LIST_FORM } from "../../src/campaign/import/list-form.ts";
import { InvalidUpload, readForm, UploadTooLarge } from "../../src/kernel/http/multipart.ts";
import { concat, field, file, formBytes, type Part } from "./multipart.ts";

const BOUNDARY = "--the-boundary-";
/** Size of the pieces in which the body is read. */
const CHUNK_BYTES = 256 * 1024;

/** Returns what is read of a form. */
async function read(body: Uint8Array, boundary = BOUNDARY): Promise<{ list: Uint8Array; fields: [string, string][] }> {
  const list: Uint8Array[] = [];
  const fields: [string, string][] = [];
  const headers = { "content-type": `multipart/form-data; boundary="${boundary}"` };
  await readForm(new Request("https://x.test", { method: "POST", headers, body }), LIST_FORM, {
    field: (name, value) => fields.push([name, value]),
    chunk: (bytes) => list.push(bytes.slice()),
  });
  return { list: concat(...list), fields };
}

const same = (a: Uint8Array, b: Uint8Array) => a.length === b.length && a.every((byte, i) => byte === b[i]);

describe("reading a form", () => {
  it("reads the list and the fields in any order", async () => {
    const { list, fields } = await read(
      formBytes(
        [field("name", "Ünï"), file("a,b\r\n1,2\r\n"), field("name", ""), field("on_invalid", "skip")],
        BOUNDARY,
      ),
    );
    expect(new TextDecoder().decode(list)).toBe("a,b\r\n1,2\r\n");
    expect(fields).toEqual([
      ["name", "Ünï"],
      ["name", ""],
      ["on_invalid", "skip"],
    ]);
  });

  it("reads the same wherever a chunk boundary falls", async () => {
    const parts = (list: Uint8Array): Part[] => [file(list), field("on_invalid", "skip")];
    const around = formBytes(parts(new Uint8Array()), BOUNDARY).length;
    for (let cut = 0; cut <= around; cut++) {
      const sent = new Uint8Array(Math.max(0, CHUNK_BYTES - cut)).fill("-".charCodeAt(0));
      const { list, fields } = await read(formBytes(parts(sent), BOUNDARY));
      expect(same(list, sent), `${cut} bytes before the end`).toBe(true);
      expect(fields, `${cut} bytes before the end`).toEqual([["on_invalid", "skip"]]);
    }
  });

  it("does not mistake list content for a boundary", async () => {
    const crumb = fc.constantFrom(
      "\r",
      "\n",
      "\r\n",
      "-",
      "--",
      `\r\n--${BOUNDARY.slice(0, -1)}`,
      `--${BOUNDARY}`,
      "x",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(crumb, { minLength: 1, maxLength: 12 }), fc.nat(40), async (crumbs, shift) => {
        const pattern = crumbs.join("");
        const text = `x${pattern.repeat(Math.ceil(CHUNK_BYTES / pattern.length)).slice(0, CHUNK_BYTES - shift)}${pattern}`;
        const sent = concat(text.replaceAll(`\r\n--${BOUNDARY}`, "."));
        const { list, fields } = await read(formBytes([file(sent), field("name", "last")], BOUNDARY));
        expect(same(list, sent)).toBe(true);
        expect(fields).toEqual([["name", "last"]]);
      }),
      { numRuns: 60 },
    );
  });

  it("ignores what comes before the first boundary and after the last", async () => {
    const form = formBytes([field("name", "in"), file("list")], BOUNDARY);
    const more = formBytes([field("name", "out"), file("other")], BOUNDARY);
    const { list, fields } = await read(
      concat("hello\r\n", form, "\r\nbye: \0\r\n", more, "x".repeat(2 * CHUNK_BYTES), more),
    );
    expect([new TextDecoder().decode(list), fields]).toEqual(["list", [["name", "in"]]]);
  });
});

describe("reading an invalid form", () => {
  it("refuses a truncated form, wherever it ends", async () => {
    const form = formBytes(
      [field("name", "x"), file("phone_number\n+12025550101\n"), field("on_invalid", "skip")],
      "b",
    );
    // Without its last line break a form is still complete.
    for (let length = 0; length < form.length - 2; length++) {
      const what = `of ${length} bytes of ${form.length}`;
      await expect(read(form.slice(0, length), "b"), what).rejects.toThrow(InvalidUpload);
    }
    await read(form.slice(0, -2), "b");
    await read(form.slice(0, -1), "b");
  });

  it("refuses any input only with its own errors", async () => {
    const crumb = fc.oneof(
      fc.constantFrom(
        "\r\n--b",
        "--b\r\n",
        "--b--",
        "\r\n\r\n",
        "content-disposition: form-data; name=",
        '"contacts"',
        "x: y\r\n",
        "; filename=",
        "; filename*=utf-8''%",
        "content-type: text/plain; charset=",
        ":",
        "\0",
        ";",
        '"',
      ),
      fc.string({ maxLength: 5 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(crumb, { maxLength: 20 }), async (crumbs) => {
        try {
          await read(concat(crumbs.join("")), "b");
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidUpload);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("drains the body after a handler's error, throws that error, and calls no handler again", async () => {
    let handed = 0;
    const body = formBytes([file("x".repeat(3 * CHUNK_BYTES)), field("name", "late")], "b");
    const request = new Request("https://x.test", {
      method: "POST",
      body,
      headers: { "content-type": "multipart/form-data; boundary=b" },
    });
    const reading = readForm(request, LIST_FORM, {
      field: () => handed++,
      chunk: () => {
        handed++;
        throw new RangeError("no more");
      },
    });
    await expect(reading).rejects.toThrow(RangeError);
    expect(handed).toBe(1);
  });

  it("does not pass a second list to the handlers", async () => {
    const handed: string[] = [];
    const body = formBytes([file("one"), file("two")], "b");
    const request = new Request("https://x.test", {
      method: "POST",
      body,
      headers: { "content-type": "multipart/form-data; boundary=b" },
    });
    const contacts = (bytes: Uint8Array) => void handed.push(new TextDecoder().decode(bytes));
    await expect(readForm(request, LIST_FORM, { field: () => {}, chunk: contacts })).rejects.toThrow(/more than one/);
    expect(handed).toEqual(["one"]);
  });

  it.each([
    [
      "in another part",
      (chunk: string) => concat('--b\r\ncontent-disposition: form-data; name="x"; filename="x"\r\n\r\n', chunk),
    ],
    ["behind the last boundary", (chunk: string) => concat(formBytes([file("list")], "b"), chunk)],
    ["before the first boundary", (chunk: string) => concat(chunk)],
  ])("the service stops reading a form without an end, %s", async (_, begin) => {
    const chunk = "x".repeat(1024 * 1024);
    let sent = 0;
    const body = new ReadableStream({
      type: "bytes",
      start: (controller) => controller.enqueue(begin(chunk)),
      pull: (controller) => {
        sent++;
        controller.enqueue(concat(chunk));
      },
    });
    const headers = { "content-type": "multipart/form-data; boundary=b" };
    const request = new Request("https://x.test", { method: "POST", headers, body });
    await expect(readForm(request, LIST_FORM, { field: () => {}, chunk: () => {} })).rejects.toThrow(UploadTooLarge);
    expect(sent).toBeLessThan(140);
  });
});
