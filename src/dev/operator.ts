/**
 * `npm run operator -- --email <address> [--remote [--env <name>]]` creates an operator if no other operator can. Prints
 * a password on this machine, and for a deployment a link with which the operator chooses one.
 */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { v7 as uuidv7 } from "uuid";
import { OPERATOR_ACCOUNT } from "../kernel/db/schema/accounts.ts";
import { hashPassword } from "../kernel/secrets/passwords.ts";
import { advised, openDeployment } from "./deploy/deployment.ts";
import { inviteOperator, operatorAddress } from "./deploy/first-operator.ts";
import { databaseId, look } from "./deploy/look.ts";
import { publicUrl } from "./deploy/target.ts";
import { failureText } from "./failure.ts";
import { migrate } from "./migrate.ts";
import { ROOT } from "./paths.ts";
import { startRuntime } from "./runtime.ts";

const { values } = parseArgs({
  options: { email: { type: "string" }, remote: { type: "boolean", default: false }, env: { type: "string" } },
});
try {
  if (!values.email) throw new Error("usage: npm run operator -- --email you@example.com [--remote [--env staging]]");
  const email = operatorAddress(values.email);
  await (values.remote ? ofDeployment(email) : ofThisMachine(email));
} catch (error) {
  console.error(`operator: ${failureText(error)}`);
  process.exit(1);
}

async function ofDeployment(email: string): Promise<void> {
  const { target, cloudflare, accountId } = await openDeployment(values.env, process.env);
  const { link, expires_at } = await advised(accountId, async () => {
    const account = `/accounts/${accountId}`;
    const [{ subdomain }, database] = await Promise.all([
      look(cloudflare, accountId, target, [], join(ROOT, "migrations")),
      databaseId(cloudflare, account, target.database),
    ]);
    const url = publicUrl(target, subdomain);
    if (database === null || url === null)
      throw new Error(`${target.worker} is not deployed yet: run npm run deploy first`);
    const query = (sql: string, params: (string | number)[]) =>
      cloudflare.query(`${account}/d1/database/${database}`, sql, params);
    return inviteOperator(query, email, url, new Date());
  });
  console.log(
    `${email} can set a password for the account service-admin with this link, once, until ${expires_at}:\n${link}`,
  );
}

async function ofThisMachine(email: string): Promise<void> {
  const password = randomBytes(18).toString("base64url");
  // The state of `npm start`, which may be running. STATE_DIR moves both.
  const runtime = await startRuntime({});
  try {
    const db = await runtime.getD1Database("DB");
    await migrate(db);
    await db
      .prepare(
        `INSERT INTO users (account, id, email, name, password_hash, created_at) VALUES (?, ?, ?, 'Operator', ?, ?)
         ON CONFLICT (account, email) WHERE source = 'password' DO UPDATE SET password_hash = excluded.password_hash`,
      )
      .bind(OPERATOR_ACCOUNT, uuidv7(), email, await hashPassword(password), new Date().toISOString())
      .run();
  } finally {
    await runtime.dispose();
  }
  console.log(`operator ${email} (account service-admin), password: ${password}\nIt won't be shown again.`);
}
