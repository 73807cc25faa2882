import type { WrongField } from "../api/client.ts";
import { formatName, formatSentence } from "../texts/format.ts";
import { common } from "../texts/index.ts";

/** The errors from the service, each at the field that edits it, and those that no field edits. */
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
    const place = names.find((name) => fault.field === name || fault.field.startsWith(`${name}.`));
    if (place === undefined) rest.push(fault);
    else if (!at.has(place)) at.set(place, faultWithin(fault, fault.field.slice(place.length + 1)));
  }
  return { at, rest };
}

/** The errors inside a field that edits a whole value, such as JSON, with their paths. */
function faultWithin(fault: WrongField, path: string): string {
  const words = faultWords(fault);
  if (path === "") return words;
  if (/^\d+$/.test(path)) return `${common.entry(Number(path) + 1)} ${words}`;
  return isPredicate(words) ? `${path} ${words}` : `${path}: ${words}`;
}

const faultWords = ({ code, message }: WrongField): string =>
  (code && Object.hasOwn(common.faults, code) && Reflect.get(common.faults, code)) || message;

/** The service's messages, such as "must be an email address", continue a sentence that begins with the field's name. */
const isPredicate = (words: string): boolean => /^(is|are|must|may|has|have|does|cannot|can)\b/.test(words);

/** A field's error, as a sentence at that field. */
export function faultSentence(label: string, words: string): string {
  return formatSentence(isPredicate(words) ? `${label} ${words}` : words);
}

/** A fault that no field of the form shows, as a sentence that names what it is about. */
export function faultAlone(fault: WrongField): string {
  const words = faultWords(fault);
  const name = fault.field.split(".").findLast((part) => part !== "" && !/^\d+$/.test(part));
  if (name === undefined) return formatSentence(words);
  return isPredicate(words) ? faultSentence(formatName(name), words) : formatSentence(`${formatName(name)}: ${words}`);
}
