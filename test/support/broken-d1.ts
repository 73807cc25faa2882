import { env } from "cloudflare:workers";

export type Table = "campaigns" | "audit_log" | "do_not_call" | "agent_versions";
export type Write = "INSERT" | "UPDATE" | "DELETE";

let broken: string[] = [];

/** Makes D1 fail these writes of the account until `repair`. */
export async function breakD1(account: string, tables: Table[], writes: Write[] = ["INSERT", "UPDATE", "DELETE"]) {
  for (const table of tables) {
    for (const write of writes) {
      const name = `away_${table}_${write}_${account.replaceAll("-", "_")}`;
      const row = write === "DELETE" ? "OLD" : "NEW";
      await env.DB.prepare(
        `CREATE TRIGGER ${name} BEFORE ${write} ON ${table} WHEN ${row}.account = '${account}'
         BEGIN SELECT RAISE(ABORT, 'the database is away'); END`,
      ).run();
      broken.push(name);
    }
  }
}

export async function repair() {
  for (const name of broken) await env.DB.prepare(`DROP TRIGGER ${name}`).run();
  broken = [];
}
