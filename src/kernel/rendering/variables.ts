/** A value, with its name as the author wrote it. */
export type Variable = [name: string, value: string];

/** Returns the form in which names are compared: in lower case, trimmed, and with `_` for inner spaces. */
export function variableName(written: string): string {
  return written.normalize("NFC").trim().toLowerCase().replace(/\s+/g, "_");
}

/** Removes later duplicates of a name, even if the first value is empty. */
export function firstOfEachName(variables: Variable[]): Variable[] {
  return [...byName(variables).values()];
}

/** Returns the values by name. The first of several duplicates is used, even if it is empty. */
export function valuesOf(variables: Variable[]): Map<string, string> {
  return new Map([...byName(variables)].map(([name, [, value]]) => [name, value]));
}

function byName(variables: Variable[]): Map<string, Variable> {
  const first = new Map<string, Variable>();
  for (const variable of variables) {
    const name = variableName(variable[0]);
    if (!first.has(name)) first.set(name, variable);
  }
  return first;
}
