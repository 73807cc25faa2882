import { env } from "cloudflare:workers";

/** The triggers that record each written row of every table, whether the Worker or an object writes it. */
let triggers: string[] = [];

/** Makes D1 record every written row until `stopWatching`. */
export async function watchWrites(): Promise<void> {
  await env.DB.prepare("CREATE TABLE watched_writes (what TEXT NOT NULL, account TEXT)").run();
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' AND name NOT IN ('d1_migrations', 'watched_writes')",
  ).all<{ name: string }>();
  for (const { name } of results) {
    const { results: columns } = await env.DB.prepare(`PRAGMA table_info(${name})`).all<{ name: string }>();
    const account = ["account", "name"].find((wanted) => columns.some((column) => column.name === wanted));
    if (account === undefined) continue;
    for (const write of ["INSERT", "UPDATE", "DELETE"]) {
      const row = write === "DELETE" ? "OLD" : "NEW";
      const trigger = `watch_${name}_${write}`;
      await env.DB.prepare(
        `CREATE TRIGGER ${trigger} AFTER ${write} ON ${name}
         BEGIN INSERT INTO watched_writes VALUES ('${write} ${name}', ${row}.${account}); END`,
      ).run();
      triggers.push(trigger);
    }
  }
}

export async function stopWatching(): Promise<void> {
  for (const trigger of triggers) await env.DB.prepare(`DROP TRIGGER ${trigger}`).run();
  triggers = [];
  await env.DB.prepare("DROP TABLE watched_writes").run();
}

/** Returns how often each table was written for the account during `work`. */
export async function writesOf(account: string, work: () => Promise<unknown>): Promise<Record<string, number>> {
  await env.DB.prepare("DELETE FROM watched_writes").run();
  await work();
  const { results } = await env.DB.prepare(
    "SELECT what, count(*) AS n FROM watched_writes WHERE account = ? GROUP BY what ORDER BY what",
  )
    .bind(account)
    .all<{ what: string; n: number }>();
  return Object.fromEntries(results.map(({ what, n }) => [what, n]));
}
