import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { wordNumberAt } from "./number-words.ts";
import { isJoint, type Mention, plainText, type Token, unaccented } from "./tokens.ts";

/** A part of spelled-out speech: a letter, a word, digits, or a mark of an address. */
interface Piece {
  text: string;
  kind: "letter" | "word" | "digits" | "mark";
  /** Whether it was spoken as a word: "dot", "five". */
  isSaid: boolean;
  /** The digits that a word can mean within a row of digits: "oh", "null". */
  digits: string | null;
  from: number;
  to: number;
}

/** A phone number as it was spoken. */
export interface SaidPhone extends Mention<string> {
  /** Whether it began with a plus. */
  isInternational: boolean;
}

/** The marks of addresses by their names. Some names consist of two words. */
const MARKS: ReadonlyMap<string, string> = new Map(
  [
    "@ at arroba chiocciola arobase apenstaartje malpa",
    ". dot point punkt punto ponto punt kropka",
    "_ underscore unterstrich guion+bajo tiret+bas trattino+basso sublinhado laag+streepje podkreslenie",
    "- dash hyphen minus bindestrich guion tiret trattino hifen streepje myslnik",
    "+ plus",
  ].flatMap((line) => line.split(" ").map((words) => [words.replace(/(?<=.)\+/, " "), line[0] ?? ""])),
);
const TIMES: ReadonlyMap<string, number> = new Map([
  ["double", 2],
  ["triple", 3],
]);
/** The words between a letter and its example: "b as in boy", "b for bravo", "b wie Berlin". */
const AS = ["as in", "for", "like", "wie", "de", "como", "comme", "come", "van", "jak"].map((words) =>
  words.split(" "),
);
/** The most pieces of an address on either side of its @ sign. */
const MAX_PIECES = 24;
/** The most addresses for one @ sign, because the beginning of a spoken address is not always clear. */
const MAX_READINGS = 8;
/** The fewest and most digits of a phone number (E.164 allows 15). */
const MIN_DIGITS = 7;
const MAX_DIGITS = 15;

const PIECES = /(\p{L}[\p{L}\p{M}]*(?:['’]\p{L}+)*)|(\p{Nd}+)|[^\s\p{L}\p{Nd}]/gu;

/** Splits a text into pieces as a listener would write them: "double five" is 55, "dot" a dot. */
export function piecesOf(text: string): Piece[] {
  const plain = plainText(text);
  const tokens: Token[] = Array.from(plain.matchAll(PIECES), ({ 0: all, 1: word, 2: digits, index }) => ({
    text: word === undefined ? all : unaccented(all),
    isWord: word !== undefined || digits !== undefined,
    isJoint: isJoint(plain, all, index),
    from: index,
    to: index + all.length,
  }));
  const pieces: Piece[] = [];
  for (let at = 0; at < tokens.length; ) {
    const read = pieceAt(tokens, at);
    pieces.push(Object.assign(read.piece, { from: tokens[at]?.from ?? 0, to: tokens[read.next - 1]?.to ?? 0 }));
    at = read.next;
  }
  return pieces;
}

type Unplaced = Omit<Piece, "from" | "to">;

const piece = (text: string, kind: Piece["kind"], isSaid = false, digits: string | null = null): Unplaced => ({
  text,
  kind,
  isSaid,
  digits: kind === "digits" ? text : digits,
});

function pieceAt(tokens: readonly Token[], at: number): { piece: Unplaced; next: number } {
  const { text = "" } = tokens[at] ?? {};
  const times = TIMES.get(text);
  if (times === undefined) return singleAt(tokens, at);
  const { piece: repeated, next } = singleAt(tokens, at + 1);
  if (repeated.kind === "mark" || repeated.text.length !== 1) return singleAt(tokens, at);
  return { piece: piece(repeated.text.repeat(times), repeated.kind, true), next };
}

function singleAt(tokens: readonly Token[], at: number): { piece: Unplaced; next: number } {
  const { text = "", isWord = false } = tokens[at] ?? {};
  const twoWords = MARKS.get(`${text} ${tokens[at + 1]?.text}`);
  if (twoWords !== undefined) return { piece: piece(twoWords, "mark", true), next: at + 2 };
  const mark = MARKS.get(text);
  if (mark !== undefined) return { piece: piece(mark, "mark", isWord), next: at + 1 };
  if (!isWord) return { piece: piece(text, "mark"), next: at + 1 };
  if (/^\p{Nd}/u.test(text)) return { piece: piece(text, "digits"), next: at + 1 };
  if (text.length === 1)
    return { piece: piece(text, "letter", false, text === "o" ? "0" : null), next: afterExample(tokens, at) };
  const number = wordNumberAt(tokens, at);
  const [n] = number?.values ?? [];
  if (number === null || n === undefined || !Number.isInteger(n))
    return { piece: piece(text, "word", false, text === "oh" ? "0" : null), next: at + 1 };
  return {
    piece: number.isSure ? piece(String(n), "digits", true) : piece(text, "word", false, String(n)),
    next: number.next,
  };
}

/** Returns the position after a letter and its example. */
function afterExample(tokens: readonly Token[], at: number): number {
  for (const words of AS) {
    const example = at + 1 + words.length;
    const isExplained = words.every((word, i) => tokens[at + 1 + i]?.text === word);
    if (isExplained && tokens[example]?.text[0] === tokens[at]?.text) return example + 1;
  }
  return at + 1;
}

/** Returns the email addresses that pieces spell, the shortest reading of each first. */
export function emailsIn(pieces: readonly Piece[]): Mention<string>[] {
  return pieces.flatMap(({ text }, at) => {
    const domain = text === "@" ? domainAfter(pieces, at) : null;
    const locals = domain === null ? [] : localsBefore(pieces, at);
    if (domain === null || locals.length === 0) return [];
    const values = locals.map((first) => `${joined(pieces, first, at)}@${joined(pieces, at + 1, domain)}`);
    return { values, isSure: true, from: pieces[locals.at(-1) ?? at]?.from ?? 0, to: pieces[domain - 1]?.to ?? 0 };
  });
}

const joined = (pieces: readonly Piece[], from: number, to: number) =>
  pieces
    .slice(from, to)
    .map(({ text }) => text)
    .join("");

/** Returns the position after a domain; null if none begins after the sign. */
function domainAfter(pieces: readonly Piece[], sign: number): number | null {
  let at = sign + 1;
  while (at < pieces.length && at - sign <= MAX_PIECES && isPartOf(pieces, at, "-")) at++;
  if (at === sign + 1) return null;
  let end: number | null = null;
  // After a dot there is one label: a word, or single letters.
  while (isJoiningDot(pieces, at) && at - sign <= MAX_PIECES) {
    at++;
    const isSpelled = pieces[at]?.kind === "letter";
    const isLabel = () => (isSpelled ? pieces[at]?.kind === "letter" : isPartOf(pieces, at, ""));
    if (!isLabel()) break;
    at++;
    while (at - sign <= MAX_PIECES && ((isSpelled && isLabel()) || (touches(pieces, at) && isPartOf(pieces, at, "-"))))
      at++;
    end = at;
  }
  return end;
}

/** Returns where the part before the sign may begin, nearest first. */
function localsBefore(pieces: readonly Piece[], sign: number): number[] {
  const found: number[] = [];
  for (let at = sign - 1; at >= Math.max(0, sign - MAX_PIECES) && found.length < MAX_READINGS; at--) {
    if (!isPartOf(pieces, at, "._-+") || (pieces[at]?.text === "." && !isJoiningDot(pieces, at))) break;
    const before = pieces[at - 1];
    const goesOn = before !== undefined && isPartOf(pieces, at - 1, "._-+");
    const isWhole = !(before?.kind === "letter" && pieces[at]?.kind === "letter") && before?.kind !== "mark";
    if (pieces[at]?.kind !== "mark" && (!goesOn || (isWhole && !touches(pieces, at)))) found.push(at);
    // A written address, unlike a spoken one, ends at a space.
    if (found.length > 0 && touches(pieces, sign)) break;
  }
  return found;
}

function isPartOf(pieces: readonly Piece[], at: number, marks: string): boolean {
  const piece = pieces[at];
  return piece !== undefined && (piece.kind !== "mark" || marks.includes(piece.text));
}

/** Checks whether a dot is part of an address: it was spoken, or nothing separates it from what follows. */
function isJoiningDot(pieces: readonly Piece[], at: number): boolean {
  const piece = pieces[at];
  return piece?.text === "." && (piece.isSaid || touches(pieces, at + 1));
}

const touches = (pieces: readonly Piece[], at: number): boolean => pieces[at]?.from === pieces[at - 1]?.to;

/**
 * Returns the phone numbers in the pieces: digits that were said in groups or one by one. Each part between commas is
 * also tried as a number of its own.
 */
export function phonesIn(pieces: readonly Piece[]): SaidPhone[] {
  const found: SaidPhone[] = [];
  let [digits, part, from, to, isInternational] = ["", "", 0, 0, false];
  const add = (said: string) => {
    const last = found.at(-1);
    const isNew = last?.from !== from || last.values[0] !== said;
    if (isNew && said.length >= MIN_DIGITS && said.length <= MAX_DIGITS)
      found.push({ values: [said], isSure: true, from, to, isInternational });
  };
  for (const [at, { text, kind, digits: read }] of pieces.entries()) {
    const isInRow = kind === "digits" || digits !== "" || typeof pieces[at + 1]?.digits === "string";
    const digit = isInRow ? read : null;
    if (digit !== null && /^\d+$/.test(digit)) {
      if (digits === "") {
        from = pieces[at]?.from ?? 0;
        isInternational = pieces[at - 1]?.text === "+";
      }
      if (digits.length <= MAX_DIGITS) digits += digit;
      part += digit.slice(0, MAX_DIGITS + 1);
      to = pieces[at]?.to ?? 0;
    } else if (digits !== "" && text === ",") {
      add(part);
      part = "";
    } else if (digits !== "" && !(kind === "mark" && "-.()/".includes(text))) {
      add(part);
      add(digits);
      [digits, part] = ["", ""];
    }
  }
  add(part);
  add(digits);
  return found;
}

/** Checks whether a written phone number is the spoken one. Either may lack the country code and begin with a zero. */
export function isSamePhone(written: string, { values: [said = ""], isInternational }: SaidPhone): boolean {
  const digits = written.replaceAll(/\D/g, "");
  const bare = (number: string) => number.replace(/^0+/, "");
  const national = (number: string): string | null =>
    parsePhoneNumberFromString(`+${bare(number)}`)?.nationalNumber ?? null;
  if (bare(digits) === bare(said)) return true;
  if (/^\s*(?:\+|00)/.test(written)) return !isInternational && national(digits) === bare(said);
  return national(said) === bare(digits);
}

/** The letters and digits that were said in one row, with the positions where its parts begin and end. */
export interface SpelledRow {
  all: string;
  starts: ReadonlySet<number>;
  ends: ReadonlySet<number>;
}

/** Returns what pieces spell, without marks. */
export function spelledRow(pieces: readonly Piece[]): SpelledRow {
  const spoken = pieces.filter(({ kind }) => kind !== "mark");
  const starts = new Set<number>();
  const ends = new Set<number>();
  let all = "";
  for (const [at, { text, kind }] of spoken.entries()) {
    // Single letters form one part, which cannot begin or end in the middle.
    if (kind !== "letter" || spoken[at - 1]?.kind !== "letter") starts.add(all.length);
    all += text;
    if (kind !== "letter" || spoken[at + 1]?.kind !== "letter") ends.add(all.length);
  }
  return { all, starts, ends };
}

/** Checks whether a row spells a text (only letters and digits) from the beginning of a part to the end of one. */
export function isSpelled(compact: string, { all, starts, ends }: SpelledRow): boolean {
  for (let at = all.indexOf(compact); at !== -1; at = all.indexOf(compact, at + 1))
    if (starts.has(at) && ends.has(at + compact.length)) return true;
  return false;
}
