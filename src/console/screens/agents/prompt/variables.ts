import { placeholders } from "../../../../rendering/placeholders.ts";

/** A variable that texts of an agent name, wherever they do. */
export interface Variable {
  /** As it is matched: lower case, `_` for spaces. */
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
