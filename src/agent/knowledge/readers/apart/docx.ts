import { Unzip, UnzipInflate } from "fflate";
import { SaxesParser } from "saxes";
import { type ReadText, Sections, Unreadable } from "../read-text.ts";

/** Word writes a few hundred entries. The library's time grows with the square of their number. */
const MAX_ENTRIES = 10_000;
const MAX_INFLATED_BYTES = 64_000_000;
/** The maximum inflation ratio of a file, which guards against zip bombs. Small files may have any ratio. */
const MAX_RATIO = 200;
const UNCHECKED_BYTES = 1_000_000;
/** The archive is read in pieces of this size, because a piece is inflated before its bytes are counted. */
const PIECE_BYTES = 16_384;

interface Paragraph {
  style: string | null;
  text: string;
}

/** Reads a Word document into sections by heading, without footnotes, comments, headers and footers. */
export function readDocx(bytes: Uint8Array): ReadText {
  const [body, styles, core] = [new Body(), new Styles(), new Core()];
  const parsers = new Map([
    ["word/document.xml", body.parser],
    ["word/styles.xml", styles.parser],
    ["docProps/core.xml", core.parser],
  ]);
  readArchive(bytes, parsers);
  const sections = new Sections();
  for (const { style, text } of body.paragraphs) {
    const level = style === null ? undefined : styles.levels.get(style);
    if (level === undefined) sections.line(text);
    else sections.heading(level, text.trim());
  }
  return { title: core.title.trim().slice(0, 200) || sections.title, language: null, blocks: sections.end() };
}

/** Parses entries of an archive while they are inflated. */
function readArchive(bytes: Uint8Array, parsers: ReadonlyMap<string, SaxesParser>): void {
  let [entries, inflated, read, found] = [0, 0, 0, false];
  const unzip = new Unzip((entry) => {
    entries += 1;
    if (entries > MAX_ENTRIES) throw new Unreadable("inflates_too_much");
    const parser = parsers.get(entry.name);
    if (!parser) return;
    found = true;
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
    entry.ondata = (error, piece, final) => {
      if (error) throw error;
      inflated += piece.length;
      const allowed = Math.min(MAX_INFLATED_BYTES, UNCHECKED_BYTES + read * MAX_RATIO);
      if (inflated > allowed) throw new Unreadable("inflates_too_much");
      parser.write(decoder.decode(piece, { stream: !final }));
      if (final) parser.close();
    };
    entry.start();
  });
  unzip.register(UnzipInflate);
  while (read < bytes.length) {
    const piece = bytes.subarray(read, read + PIECE_BYTES);
    read += piece.length;
    unzip.push(piece, read === bytes.length);
  }
  if (!found) throw new Unreadable("damaged");
}

/** Creates a parser that stops at the first error. Documents declare no entities, so none are expanded. */
function xmlParser(): SaxesParser {
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  return parser;
}

const value = (attributes: Record<string, string>) => attributes["w:val"] ?? null;

/** Parses the document's own paragraphs. The cells of a table row form one paragraph. */
class Body {
  readonly parser = xmlParser();
  readonly paragraphs: Paragraph[] = [];
  readonly #cells: string[][] = [];
  #style: string | null = null;
  #text = "";
  #isText = false;
  /** The nesting depth in fallbacks, which repeat a picture or text box for older programs. */
  #fallback = 0;

  constructor() {
    this.parser.on("opentag", ({ name, attributes }) => this.#open(name, attributes));
    this.parser.on("text", (text) => {
      if (this.#isText && this.#fallback === 0) this.#text += text;
    });
    this.parser.on("closetag", ({ name }) => this.#close(name));
  }

  #open(name: string, attributes: Record<string, string>): void {
    if (name === "mc:Fallback") this.#fallback += 1;
    else if (name === "w:t") this.#isText = true;
    else if (name === "w:pStyle") this.#style = value(attributes);
    else if (name === "w:tr") this.#cells.push([]);
    else if (name === "w:tab") this.#text += " ";
    else if (name === "w:br" || name === "w:cr") this.#text += "\n";
  }

  #close(name: string): void {
    if (name === "mc:Fallback") this.#fallback -= 1;
    else if (name === "w:t") this.#isText = false;
    else if (name === "w:p") this.#endParagraph();
    else if (name === "w:tr") {
      const text = (this.#cells.pop() ?? []).join(" | ");
      this.#add({ style: null, text });
    }
  }

  #endParagraph(): void {
    this.#add({ style: this.#style, text: this.#text });
    this.#text = "";
    this.#style = null;
  }

  #add(paragraph: Paragraph): void {
    const text = paragraph.text.trim();
    if (text === "") return;
    const row = this.#cells.at(-1);
    if (row) row.push(text);
    else this.paragraphs.push(paragraph);
  }
}

/** Parses the heading level of each style. The ids of styles depend on the language of the program that wrote them. */
class Styles {
  readonly parser = xmlParser();
  readonly levels = new Map<string, number>();
  #id = "";

  constructor() {
    this.parser.on("opentag", ({ name, attributes }) => {
      if (name === "w:style") this.#id = attributes["w:styleId"] ?? "";
      if (name !== "w:name") return;
      const [, level] = /^(?:heading ([1-9])|title)$/i.exec(value(attributes) ?? "") ?? [null, null];
      if (level !== null) this.levels.set(this.#id, Number(level ?? 1));
    });
  }
}

/** Reads the title from the document's properties. */
class Core {
  readonly parser = xmlParser();
  title = "";
  #isTitle = false;

  constructor() {
    this.parser.on("opentag", ({ name }) => {
      this.#isTitle = name === "dc:title";
    });
    this.parser.on("text", (text) => {
      if (this.#isTitle) this.title += text;
    });
    this.parser.on("closetag", () => {
      this.#isTitle = false;
    });
  }
}
