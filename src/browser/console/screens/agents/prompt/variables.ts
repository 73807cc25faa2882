import { placeholders } from "../../../../../kernel/rendering/placeholders.ts";
import { agents } from "../../../texts/index.ts";

const t = agents.variables;

export interface Variable {
  /** In its normalized form: lower case, with `_` for spaces. */
  name: string;
  defaults: string[];
  /** Whether it is used somewhere without a default. */
  isBare: boolean;
}

/** Returns the distinct variables of some texts in order of first use. */
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

/** A variable offered while a text is being typed. */
export interface OfferedVariable {
  name: string;
  about: string;
}

/**
 * Returns the variables to offer in an agent's texts: those already used, common columns of contacts, and the built-in
 * ones.
 */
export function offeredVariables(...texts: string[]): OfferedVariable[] {
  const standard = Object.entries({ ...t.ofContacts, ...t.builtIn }).map(([name, about]) => ({ name, about }));
  const isStandard = (name: string) => standard.some((each) => each.name === name);
  const own = variablesIn(...texts).filter(({ name }) => !isStandard(name));
  return [...own.map(({ name }) => ({ name, about: t.inTexts })), ...standard];
}
