import { describe, expect, it } from "vitest";
import { readDocument } from "../../../../src/agent/knowledge/readers/read-document.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const read = (content_type: string, content: string | Uint8Array, charset?: string) =>
  readDocument({
    content_type,
    bytes: typeof content === "string" ? utf8(content) : content,
    ...(charset !== undefined && { charset }),
  });

/** Encodes a text as UTF-16, with or without a byte order mark. */
function utf16(text: string, { littleEndian, mark }: { littleEndian: boolean; mark: boolean }): Uint8Array {
  const units = `${mark ? "\ufeff" : ""}${text}`;
  const view = new DataView(new ArrayBuffer(units.length * 2));
  for (let at = 0; at < units.length; at++) view.setUint16(at * 2, units.charCodeAt(at), littleEndian);
  return new Uint8Array(view.buffer);
}

describe("a Markdown document", () => {
  it("a Markdown document is read under the path of its headings", async () => {
    const text = "# Hours\nWe open at 9.\n\n## Sunday\nClosed.\n\nRefunds\n=======\nThree days.\n";
    expect(await read("text/markdown", text)).toMatchObject({
      title: "Hours",
      blocks: [
        { heading: "Hours", text: "We open at 9." },
        { heading: "Hours › Sunday", text: "Closed." },
        { heading: "Refunds", text: "Three days." },
      ],
    });
  });

  it("a Markdown document keeps lines in code that look like headings", async () => {
    const text = "# Setup\n```sh\n# install\nnpm ci\n```\nDone.";
    expect(await read("text/markdown", text)).toMatchObject({
      blocks: [{ heading: "Setup", text: "```sh\n# install\nnpm ci\n```\nDone." }],
    });
  });

  it("a Markdown document is read without its front matter", async () => {
    const text = "---\ntitle: x\n---\nWe open at 9.";
    expect(await read("text/markdown", text)).toMatchObject({ blocks: [{ heading: "", text: "We open at 9." }] });
  });
});

describe("a CSV document", () => {
  it("a CSV document is read with each cell after its column's name", async () => {
    const text = 'Product;Price;Note\nTea;3 €;\n"Coffee; black";4 €;hot\n';
    expect(await read("text/csv", text)).toMatchObject({
      blocks: [{ heading: "", text: "Product: Tea; Price: 3 €\nProduct: Coffee; black; Price: 4 €; Note: hot" }],
    });
  });
});

describe("an HTML document", () => {
  it("an HTML document is read under its headings, without scripts, styles or navigation", async () => {
    const page = `<!doctype html><html lang="de"><head><title>Shop &amp; Café</title><style>p{}</style></head><body>
      <nav><a>Home</a></nav><script>let a = "<p>hidden</p>";</script>
      <h1>Öffnungs&shy;zeiten</h1><p>Mo&ndash;Fr <b>9</b>&nbsp;Uhr<br>Sa zu</p>
      <h2>Preise</h2><table><tr><td>Tee</td><td>3&nbsp;&euro;</td></tr></table><ul><li>A</li><li>B</li></ul></body></html>`;
    expect(await read("text/html", page)).toEqual({
      title: "Shop & Café",
      language: "de",
      blocks: [
        { heading: "Öffnungs\u00adzeiten", text: "Mo–Fr 9 Uhr\nSa zu" },
        { heading: "Öffnungs\u00adzeiten › Preise", text: "Tee 3 €\nA\nB" },
      ],
    });
  });

  it("an HTML document is read even if its tags are not closed", async () => {
    expect(await read("text/html", "<h1>Hours<p>We open at 9.<div>Closed on Sunday")).toMatchObject({
      blocks: [{ heading: "Hours", text: "We open at 9.\nClosed on Sunday" }],
    });
  });

  it("an HTML document is read in linear time, whatever elements are left open", async () => {
    const pages = ["<nav>", "<p title='", '<p title="', "<!--", "<svg><title>", "< ", "<h1>", "&#"].map((tag) =>
      tag.repeat(2_000_000),
    );
    for (const page of pages)
      expect(await read("text/html", `We open at 9.${page.slice(0, 4_000_000)}`)).toMatchObject({});
  });

  it("an HTML document is read in the charset of its meta element", async () => {
    const page = new Uint8Array([
      ...utf8('<meta charset="iso-8859-2"><p>Zam'),
      0xf3,
      ...utf8("wienie "),
      0xb1,
      0xea,
      ...utf8("</p>"),
    ]);
    expect(await read("text/html", page)).toMatchObject({ blocks: [{ text: "Zamówienie ąę" }] });
  });

  it("an HTML document is read in its header's charset, even if its meta element differs", async () => {
    const page = new Uint8Array([...utf8('<meta charset="utf-8"><p>'), 0xcf, 0xf0, 0xe8, ...utf8("</p>")]);
    expect(await read("text/html", page, "windows-1251")).toMatchObject({ blocks: [{ text: "При" }] });
  });
});

describe("a text", () => {
  it.each([
    ["UTF-16 with a mark", utf16("Größe 😀", { littleEndian: true, mark: true })],
    ["UTF-16 of the other order with a mark", utf16("Größe 😀", { littleEndian: false, mark: true })],
    ["UTF-8 with a mark", utf8("\ufeffGröße 😀")],
    ["UTF-8", utf8("Größe 😀")],
  ])("a text in %s is read", async (_, bytes) => {
    expect(await read("text/plain", bytes)).toMatchObject({ blocks: [{ heading: "", text: "Größe 😀" }] });
  });

  it("a text in UTF-16 without a byte order mark is read", async () => {
    const bytes = utf16("The refund is paid.", { littleEndian: true, mark: false });
    expect(await read("text/plain", bytes)).toMatchObject({ blocks: [{ text: "The refund is paid." }] });
  });

  it("a text in windows-1252 is read", async () => {
    const bytes = new Uint8Array([...utf8("Caf"), 0xe9, ...utf8(" "), 0x80, ...utf8("3")]);
    expect(await read("text/plain", bytes)).toMatchObject({ blocks: [{ text: "Café €3" }] });
  });

  it.each([
    ["no_text", "text/plain", ""],
    ["no_text", "text/plain", " \n\t--- "],
    ["no_text", "text/html", "<html><script>let a = 1</script></html>"],
    ["no_text", "text/csv", "name,price\n"],
    ["not_text", "text/plain", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13, 0xff, 0, 1])],
    ["text_too_large", "text/plain", "The refund. ".repeat(450_000)],
    ["text_too_large", "text/html", `<p>${"The refund.</p><p>".repeat(450_000)}`],
    ["text_too_large", "text/csv", `name\n${"a,b\n".repeat(1_300_000)}`],
  ])("a text that cannot be read fails with %s as %s", async (failed, content_type, content) => {
    expect(await read(content_type, content)).toEqual({ failed });
  });
});
