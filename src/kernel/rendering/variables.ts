/** A value with its name as originally written. */
export type Variable = [name: string, value: string];

/** A name as matched: lower case, `_` for inner spaces, trimmed. */
export function variableName(written: string): string {
  return written.normalize("NFC").trim().toLowerCase().replace(/\s+/g, "_");
}

/** The variables without later duplicates of a name, even if the first value is empty. */
export function firstOfEachName(variables: Variable[]): Variable[] {
  return [...byName(variables).values()];
}

/** Values by matched name; the first of a name wins, even if it is empty. */
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
