/** Scopes that every member of an account has. */
const EVERYBODYS = ["read"];

interface Operation {
  operationId?: string;
  "x-scope"?: string[];
}

/** A module with the scopes that each operation requires, except those that every user has. */
export function scopesOf(document: unknown): string {
  const { paths } = document as { paths: Record<string, Record<string, Operation>> };
  const required = Object.values(paths)
    .flatMap((path) => Object.values(path))
    .flatMap(({ operationId, "x-scope": scopes = [] }) => {
      const more = scopes.filter((scope) => !EVERYBODYS.includes(scope));
      return operationId === undefined || more.length === 0 ? [] : [[operationId, more] as const];
    })
    .sort(([a], [b]) => a.localeCompare(b));
  const lines = required.map(([operation, scopes]) => `  ${operation}: ${JSON.stringify(scopes)},\n`);
  return `export const OPERATION_SCOPES = {\n${lines.join("")}} as const;\n`;
}
