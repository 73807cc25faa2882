import { agents } from "../texts/index.ts";
import type { Option } from "./field.tsx";
import { optionsOf } from "./options.ts";

const LABELS: Record<string, string> = agents.models;

/** Returns what people call a model; the name itself for one of the account's own server. */
export function modelLabel(name: string): string {
  return LABELS[name] ?? name;
}

/** Returns the choices of a field that names a model; one that it names already is always among them. */
export function modelOptions(current: string | null): Option<string>[] {
  const options: Option<string>[] = optionsOf(agents.models);
  const isMissing = current !== null && !options.some(({ value }) => value === current);
  return isMissing ? [...options, { value: current, label: current }] : options;
}
