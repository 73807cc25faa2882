import { placeholders } from "../../../../../kernel/rendering/placeholders.ts";
import { agents } from "../../../texts/index.ts";

const t = agents.variables;

/** A variable that texts of an agent name, wherever they do. */
export interface Variable {
  /** As matched: lower case, `_` for spaces. */
  name: string;
  /** The defaults that are given for it, each once. */
  defaults: string[];
  /** Whether it stands somewhere without a default. */
  isBare: boolean;
}

/** The variables of some texts in the order they are met, each once. */
export function variablesIn(...texts: string[]): Variable[] {
  const found = new Map<string, Variable>();
  for (const { name, fallback } of texts.flatMap((text) => [...placeholders(text)])) {
    const variable = found.get(name) ?? { name, defaults: [], isBare: false };
    found.set(name, variable);
    if (fallback === undefined) variable.isBare = true;
    else if (!variable.defaults.includes(fallback)) variable.defaults.push(fallback);
  }
  return [...found.values()];
}

/** A variable that is offered while a text is written. */
export interface OfferedVariable {
  name: string;
  /** What it is, in words. */
  about: string;
}

/** The variables offered in an agent's texts: those they use already, common columns of contacts, and built-in ones. */
export function offeredVariables(...texts: string[]): OfferedVariable[] {
  const standard = Object.entries({ ...t.ofContacts, ...t.builtIn }).map(([name, about]) => ({ name, about }));
  const isStandard = (name: string) => standard.some((each) => each.name === name);
  const own = variablesIn(...texts).filter(({ name }) => !isStandard(name));
  return [...own.map(({ name }) => ({ name, about: t.inTexts })), ...standard];
}
