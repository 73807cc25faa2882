/* The playbooks and FAQs that an agent's conversations get. Only those that fit completely are included. */
import { type PlaybookFields, playbookMarkdown } from "../playbooks/markdown.ts";

/**
 * The maximum number of characters (UTF-16 code units) of an agent's playbooks and FAQs together, because its model
 * reads them for each answer.
 */
export const MAX_CONTEXT_CHARS = 60_000;
export const CONTEXT_KINDS = ["playbook", "faq"] as const;

/** A playbook or FAQ that conversations don't get because it does not fit. */
export interface LeftOut {
  kind: (typeof CONTEXT_KINDS)[number];
  name: string;
}

type Playbook = PlaybookFields & { name: string };
type Faq = Parameters<typeof faqEntry>[0] & { name: string };

/** Returns a playbook in the form that models read. */
export function playbookEntry({ display_name, content }: { display_name: string; content: string }): string {
  return `# ${display_name}\n${content}`;
}

/** Returns an FAQ in the form that models read. */
export function faqEntry({ title, summary, content }: { title: string; summary: string; content: string }): string {
  return `# ${title}\n${content || summary}`;
}

/**
 * Decides which entries of these sizes (characters) fit, after `used` characters of other texts. Takes each entry in
 * order that still fits.
 */
function whichFit(sizes: readonly number[], used = 0): boolean[] {
  let room = MAX_CONTEXT_CHARS - used;
  return sizes.map((size) => {
    const fits = size <= room;
    if (fits) room -= size;
    return fits;
  });
}

/**
 * Divides an agent's playbooks and FAQs into those that its conversations get and those that don't fit. Playbooks come
 * first, each kind in the agent's order, after the `used` characters of documents.
 */
export function contextOf<P extends Playbook, F extends Faq>(
  {
    playbooks,
    faqs,
  }: {
    playbooks: readonly P[];
    faqs: readonly F[];
  },
  used = 0,
): { playbooks: P[]; faqs: F[]; left_out: LeftOut[] } {
  const sizes = [
    ...playbooks.map((playbook) => playbookEntry(asRead(playbook)).length),
    ...faqs.map((faq) => faqEntry(faq).length),
  ];
  const fits = whichFit(sizes, used);
  const isIn = (nth: number) => fits[nth] === true;
  const ofKind = (kind: LeftOut["kind"], entries: readonly { name: string }[], first: number): LeftOut[] =>
    entries.flatMap(({ name }, n) => (isIn(first + n) ? [] : [{ kind, name }]));
  return {
    playbooks: playbooks.filter((_, n) => isIn(n)),
    faqs: faqs.filter((_, n) => isIn(playbooks.length + n)),
    left_out: [...ofKind("playbook", playbooks, 0), ...ofKind("faq", faqs, playbooks.length)],
  };
}

/** Adds the markdown that models read to a playbook. */
export function asRead<P extends PlaybookFields>(playbook: P): P & { content: string } {
  return Object.assign({}, playbook, { content: playbookMarkdown(playbook) });
}

/** The maximum number of entries that the sentence names. */
const NAMED = 10;
const WORDS: Record<LeftOut["kind"], string> = { playbook: "the playbook", faq: "the FAQ" };

/** Returns a sentence that says which entries are left out and what to do; null if none are. */
export function leftOutInWords(left_out: readonly LeftOut[]): string | null {
  if (left_out.length === 0) return null;
  const named = left_out.slice(0, NAMED).map(({ kind, name }) => `${WORDS[kind]} ${name}`);
  const more = left_out.length > NAMED ? ` and ${left_out.length - NAMED} more` : "";
  return (
    `the agent's playbooks and FAQs exceed ${MAX_CONTEXT_CHARS.toLocaleString("en-US")} characters together, so ` +
    `conversations go without ${named.join(", ")}${more}: shorten or detach some, or put first what matters most`
  );
}
