import { AROUND, LANGUAGES, type Language, NAMES, SUBJECTS } from "./subjects.ts";

/** A document of the corpus, as Markdown. */
export interface CorpusDocument {
  title: string;
  text: string;
}

/** The wording of a question: that of the document, or other words. */
export type Wording = "same" | "other";

/** A question, with the place of its answer. */
export interface Question {
  language: Language;
  wording: Wording;
  text: string;
  /** The title of the document, and the sentence in it. */
  title: string;
  answer: string;
}

type Kind = keyof typeof SUBJECTS;

const KINDS = ["hotel", "clinic", "machine"] as const satisfies Kind[];
const WORDINGS: readonly Wording[] = ["same", "other"];
/**
 * A step through names that reaches all of them before it repeats one, because it has no common factor with their
 * number.
 */
const STEP = 7;

/** The facts in a section about its subject. */
interface Section {
  heading: string;
  text: string;
  asks: Record<Wording, string>;
}

/** Returns the n-th item of a list that starts over at its end. */
function nth<T>(list: readonly T[], n: number): T {
  const [one] = list.slice(n % list.length);
  if (one === undefined) throw new Error("the list is empty");
  return one;
}

/** Returns the name of the n-th document of a language; names repeat after 72. */
function nameOf(language: Language, n: number): string {
  const [first, second] = NAMES[language];
  const at = (n * STEP) % (first.length * second.length);
  const parts = [first[at % first.length], second[Math.floor(at / first.length)]];
  return parts.join(language === "en" ? " " : "");
}

function sectionsOf(language: Language, kind: Kind, n: number, name: string): Section[] {
  return SUBJECTS[kind].map(({ values, facts }, i) => {
    const { heading, text, asks } = facts[language];
    const value = nth(values, n * 3 + i);
    const filled = (template: string) => template.replaceAll("{name}", name).replaceAll("{value}", value);
    return { heading, text: filled(text), asks: { same: filled(asks.same), other: filled(asks.other) } };
  });
}

/** Returns sentences that surround facts. */
function around(language: Language, from: number, count: number): string {
  const sentences = AROUND[language];
  const space = language === "ja" ? "" : " ";
  return Array.from({ length: count }, (_, i) => sentences[(from + i * STEP) % sentences.length]).join(space);
}

function markdown(
  name: string,
  sections: readonly Section[],
  language: Language,
  n: number,
  sentences: number,
): string {
  const parts = sections.map(
    ({ heading, text }, i) =>
      `## ${heading}\n\n${around(language, n + i, 1)}\n${text}\n${around(language, n + i + 1, sentences)}`,
  );
  return `# ${name}\n\n${around(language, n, 2)}\n\n${parts.join("\n\n")}\n`;
}

/** Returns documents of all languages in turn, and as many questions. The result is always the same. */
export function corpus(documents: number, questions: number): { documents: CorpusDocument[]; questions: Question[] } {
  const all = Array.from({ length: documents }, (_, at) => {
    const language = nth(LANGUAGES, at);
    const n = Math.floor(at / LANGUAGES.length);
    const kind = nth(KINDS, n);
    const title = nameOf(language, n);
    const sections = sectionsOf(language, kind, n, title);
    return { language, title, sections, text: markdown(title, sections, language, n, 2) };
  });
  const asked = Array.from({ length: questions }, (_, at) => {
    const { language, title, sections } = nth(all, at);
    // Questions that go through the documents a second time ask about something else.
    const round = Math.floor(at / documents);
    const section = nth(sections, at + round);
    const wording = nth(WORDINGS, Math.floor(at / LANGUAGES.length) + round);
    return { language, wording, text: section.asks[wording], title, answer: section.text };
  });
  return { documents: all.map(({ title, text }) => ({ title, text })), questions: asked };
}

/** Returns one long document with this many sections, about things whose names differ only by a number. */
export function catalogue(sections: number, seed: number): CorpusDocument {
  const parts = Array.from({ length: sections }, (_, i) => {
    const n = seed * sections + i;
    const language = nth(LANGUAGES, n);
    const kind = nth(KINDS, n);
    const name = `${nameOf(language, n)} ${1_000 + Math.floor(n / 72)}`;
    const { heading, text } = nth(sectionsOf(language, kind, n, name), n);
    return `# ${name} ${heading}\n\n${around(language, n, 3)}\n${text}\n${around(language, n + 1, 4)}\n`;
  });
  return { title: `Catalogue ${seed}`, text: parts.join("\n") };
}
