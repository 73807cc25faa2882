// Loaded before the commands of tests: they derive keys dozens of times, and each would take 128 MiB and half a second.
// `format.test.ts` tests the real cost.
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

const { scrypt } = crypto;
crypto.scrypt = (passphrase, salt, bytes, cost, done) =>
  scrypt(passphrase, salt, bytes, Object.assign({}, cost, { N: 1024 }), done);
syncBuiltinESMExports();
