import type { WrongField } from "../api/client.ts";
import { formatName, formatSentence } from "../texts/format.ts";
import { common } from "../texts/index.ts";

/** The service's errors by the field that edits them, and those without a field. */
export interface PlacedFaults {
  at: Map<string, string>;
  rest: WrongField[];
}

/**
 * Assigns each error to the most specific field that edits it: `implementation_config.url` to that field if the form
 * has it, otherwise to `implementation_config`. A field shows only its first error.
 */
export function placeFaults(faults: readonly WrongField[], fields: Iterable<string>): PlacedFaults {
  const names = [...fields].sort((a, b) => b.length - a.length);
  const at = new Map<string, string>();
  const rest: WrongField[] = [];
  for (const fault of faults) {
    const field = names.find((name) => fault.field === name || fault.field.startsWith(`${name}.`));
    if (field === undefined) rest.push(fault);
    else if (!at.has(field)) at.set(field, faultWithin(fault, fault.field.slice(field.length + 1)));
  }
  return { at, rest };
}

/** Returns the error inside a field that edits a whole value, such as JSON, with its path. */
function faultWithin(fault: WrongField, path: string): string {
  const words = faultWords(fault);
  if (path === "") return words;
  if (/^\d+$/.test(path)) return `${common.entry(Number(path) + 1)} ${words}`;
  return isPredicate(words) ? `${path} ${words}` : `${path}: ${words}`;
}

const faultWords = ({ code, message }: WrongField): string =>
  (code && Object.hasOwn(common.faults, code) && Reflect.get(common.faults, code)) || message;

/**
 * Checks whether a message, such as "must be an email address", continues a sentence that begins with the field's name.
 */
const isPredicate = (words: string): boolean => /^(is|are|must|may|has|have|does|cannot|can)\b/.test(words);

/** Returns the sentence for a field's error. */
export function faultSentence(label: string, words: string): string {
  return formatSentence(isPredicate(words) ? `${label} ${words}` : words);
}

/** Returns the sentence for an error without a field, which names what it concerns. */
export function faultAlone(fault: WrongField): string {
  const words = faultWords(fault);
  const name = fault.field.split(".").findLast((part) => part !== "" && !/^\d+$/.test(part));
  if (name === undefined) return formatSentence(words);
  return isPredicate(words) ? faultSentence(formatName(name), words) : formatSentence(`${formatName(name)}: ${words}`);
}
