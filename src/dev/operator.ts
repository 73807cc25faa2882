/** `npm run operator -- --email <address> [--remote]`: makes a deployment's first operator, whom no API call can make. */
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { v7 as uuidv7 } from "uuid";
import { hashPassword } from "../kernel/secrets/passwords.ts";
import { ROOT } from "./paths.ts";

const { values } = parseArgs({ options: { email: { type: "string" }, remote: { type: "boolean", default: false } } });
const email = values.email?.toLowerCase();
if (!email || !/^[a-z0-9._%+-]+@[a-z0-9.-]+$/.test(email)) {
  console.error("usage: npm run operator -- --email you@example.com [--remote]");
  process.exit(2);
}

const password = randomBytes(18).toString("base64url");
// Nothing in the statement comes from outside but the address, which the pattern above keeps free of quotes.
const row = ["service-admin", uuidv7(), email, "Operator", await hashPassword(password), new Date().toISOString()];
const statement = `INSERT INTO users (account, id, email, name, password_hash, created_at)
  VALUES (${row.map((value) => `'${value}'`).join(", ")})
  ON CONFLICT (account, email) WHERE source = 'password' DO UPDATE SET password_hash = excluded.password_hash`;
const where = values.remote ? "--remote" : "--local";
const wrangler = join(ROOT, "node_modules/wrangler/bin/wrangler.js");
const { status } = spawnSync(
  process.execPath,
  [wrangler, "d1", "execute", "DB", where, "--yes", "--command", statement],
  {
    cwd: ROOT,
    stdio: ["inherit", "ignore", "inherit"],
  },
);
if (status !== 0) process.exit(status ?? 1);
console.log(`operator ${email} (account service-admin), password: ${password}\nIt won't be shown again.`);
