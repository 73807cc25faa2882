import { variableName } from "./placeholders.ts";

/** A value by its name, as whoever brought it wrote the name. */
export type Variable = [name: string, value: string];

/** The variables without those whose name an earlier one has already, also where its value is empty. */
export function firstOfEachName(variables: Variable[]): Variable[] {
  const taken = new Set<string>();
  return variables.filter(([written]) => {
    const name = variableName(written);
    const isNew = !taken.has(name);
    taken.add(name);
    return isNew;
  });
}

/** Values by the name as it is matched; the first that has a name wins, also with an empty value. */
export function valuesOf(variables: Variable[]): Map<string, string> {
  return new Map(firstOfEachName(variables).map(([written, value]) => [variableName(written), value]));
}
