import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";

const tables = (object: unknown) =>
  runInDurableObject(object as DurableObjectStub, (_, { storage }) =>
    storage.sql.exec("SELECT name FROM sqlite_master").toArray(),
  );

it("an object that holds nothing stores nothing when it is read", async () => {
  const nobody = crypto.randomUUID();
  const sandbox = env.SANDBOX_CARRIER.getByName(nobody);
  expect(await sandbox.look(crypto.randomUUID())).toBeNull();
  await sandbox.hangUp(crypto.randomUUID());
  expect(await tables(sandbox)).toEqual([]);
  expect(await tables(env.RECORDING_INBOX.getByName(nobody))).toEqual([]);
});
