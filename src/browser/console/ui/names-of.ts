/** Returns the names of an object's fields, with their type. */
export function namesOf<Values extends object>(values: Values): Extract<keyof Values, string>[] {
  const names: Extract<keyof Values, string>[] = [];
  for (const name in values) names.push(name);
  return names;
}
