/** Returns the object's SQL, which records SQLite's plans for its queries. */
export function explained({ sql }: DurableObjectStorage) {
  const plans: string[] = [];
  const exec = (query: string, ...bindings: SqlStorageValue[]) => {
    const steps = sql.exec<{ detail: string }>(`EXPLAIN QUERY PLAN ${query}`, ...bindings);
    plans.push(...steps.toArray().map(({ detail }) => detail));
    return sql.exec(query, ...bindings);
  };
  return { plans, sql: { exec } as unknown as SqlStorage };
}
