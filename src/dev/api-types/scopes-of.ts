const EVERYBODYS = ["read"];

interface Operation {
  operationId?: string;
  "x-scope"?: string[];
  "x-scope-if-named"?: string[][];
}

/**
 * Generates a module with the scopes that each operation requires, without those that every user has, and the lists of
 * scopes that it requires of users with named scopes.
 */
export function scopesOf(document: unknown): string {
  const { paths } = document as { paths: Record<string, Record<string, Operation>> };
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const required = operations
    .flatMap(({ operationId, "x-scope": scopes = [] }) => {
      const more = scopes.filter((scope) => !EVERYBODYS.includes(scope));
      return operationId === undefined || more.length === 0 ? [] : [[operationId, more] as const];
    })
    .sort(byName);
  const ifNamed = operations
    .flatMap(({ operationId, "x-scope-if-named": choice }) =>
      operationId === undefined || choice === undefined ? [] : [[operationId, choice] as const],
    )
    .sort(byName);
  return `${constant("OPERATION_SCOPES", required)}\n${constant("OPERATION_SCOPES_IF_NAMED", ifNamed)}`;
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => a.localeCompare(b);

function constant(name: string, entries: (readonly [string, unknown])[]): string {
  const lines = entries.map(([operation, value]) => `  ${operation}: ${JSON.stringify(value)},\n`);
  return `export const ${name} = {\n${lines.join("")}} as const;\n`;
}
