import { variableName } from "./placeholders.ts";

/** A value with its name as originally written. */
export type Variable = [name: string, value: string];

/** The variables without later duplicates of a name, even if the first value is empty. */
export function firstOfEachName(variables: Variable[]): Variable[] {
  const taken = new Set<string>();
  return variables.filter(([written]) => {
    const name = variableName(written);
    const isNew = !taken.has(name);
    taken.add(name);
    return isNew;
  });
}

/** Values by matched name; the first of a name wins, even if it is empty. */
export function valuesOf(variables: Variable[]): Map<string, string> {
  return new Map(firstOfEachName(variables).map(([written, value]) => [variableName(written), value]));
}
