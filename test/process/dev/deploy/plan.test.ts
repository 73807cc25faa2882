import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Unstable_RawConfig } from "wrangler";
import { planOf, Refused, type State, uploadsSecrets, type Wishes } from "../../../../src/dev/deploy/plan.ts";
import { completed, publicUrl, targetOf } from "../../../../src/dev/deploy/target.ts";
import { hashOfMigration } from "../../../../src/dev/migration-files.ts";

const RAW: Unstable_RawConfig = {
  name: "switchboard",
  main: "src/index.ts",
  d1_databases: [{ binding: "DB", database_name: "switchboard" }],
  r2_buckets: [{ binding: "RECORDINGS", bucket_name: "switchboard-recordings" }],
  ratelimits: [{ name: "PUBLIC_RATE", namespace_id: "1002", simple: { limit: 600, period: 60 } }],
  routes: [{ pattern: "calls.example.com", custom_domain: true }],
  migrations: [
    { tag: "v1", new_sqlite_classes: ["AccountGate"] },
    { tag: "v2", new_sqlite_classes: ["Campaign", "Erasure"] },
  ],
  vars: {
    PUBLIC_URL: "",
    OPERATOR_SECOND_FACTOR: "required",
    RATE_LIMITS: "on",
    TRUST_CONNECTING_IP: "on",
    LLM_MODEL: "a",
  },
  secrets: { required: ["ENCRYPTION_KEYS", "SIGNING_KEYS"] },
  env: { staging: { vars: { LLM_MODEL: "b" } } },
};
const fileOf = (name: string) => {
  const sql = `CREATE TABLE t${name.slice(0, 4)} (id TEXT);`;
  return { name, sql, hash: hashOfMigration(sql) };
};
const EMPTY: State = {
  accountId: "acc",
  subdomain: "example",
  database: null,
  buckets: [],
  worker: null,
  keptSecrets: [],
  migrations: ["0000_init.sql", "0001_more.sql"].map(fileOf),
};
const DATABASE: NonNullable<State["database"]> = {
  id: "d",
  applied: EMPTY.migrations,
  operators: [{ email: "you@example.com", canSignIn: true }],
  demoUsers: [],
  isSealed: true,
  isForeign: false,
};
const FULL: State = Object.assign({}, EMPTY, {
  database: DATABASE,
  buckets: ["switchboard-recordings"],
  worker: { secrets: ["ENCRYPTION_KEYS", "SIGNING_KEYS"], classTag: "v2", isDraft: false, versions: ["old"] },
});
const but = (state: State, changes: Partial<State>): State => Object.assign({}, state, changes);
const production = targetOf(RAW, "production", "/root");
const staging = targetOf(RAW, "staging", "/root");
const NO_WISHES: Wishes = { operator: null, gradual: null };
const YOU: Wishes = { operator: "you@example.com", gradual: null };
const plan = (state: State, wishes = NO_WISHES, target = production) =>
  planOf(target, state, wishes, "/kept/production.env");
const steps = (state: State, wishes?: Wishes) => plan(state, wishes).steps.map((step) => step.do);

/** Returns why a deployment is refused. */
function reasons(state: State, wishes?: Wishes, target = production): string[] {
  try {
    plan(state, wishes, target);
  } catch (error) {
    if (error instanceof Refused) return error.reasons;
    throw error;
  }
  return [];
}

describe("a plan", () => {
  it("creates everything in an empty account, and only the release in a full one", () => {
    expect(steps(EMPTY, YOU)).toEqual([
      "create database",
      "create bucket",
      "keep fresh secrets",
      "apply migrations",
      "deploy",
      "invite operator",
    ]);
    expect(steps(FULL)).toEqual(["deploy"]);
  });

  it("never changes existing resources", () => {
    const states = fc.record({
      database: fc.boolean(),
      applied: fc.subarray(EMPTY.migrations),
      bucket: fc.boolean(),
      set: fc.option(fc.subarray(["ENCRYPTION_KEYS", "SIGNING_KEYS"])),
      kept: fc.subarray(["ENCRYPTION_KEYS", "SIGNING_KEYS"]),
    });
    fc.assert(
      fc.property(states, ({ database, applied, bucket, set, kept }) => {
        const state = but(EMPTY, {
          database: database ? Object.assign({}, DATABASE, { applied, isSealed: false }) : null,
          buckets: bucket ? ["switchboard-recordings"] : [],
          worker: set && { secrets: set, classTag: "v2", isDraft: false, versions: ["old"] },
          keptSecrets: kept,
        });
        for (const step of plan(state, YOU).steps) {
          if (step.do === "create database") expect(database).toBe(false);
          if (step.do === "create bucket") expect(bucket).toBe(false);
          if (step.do === "keep fresh secrets")
            for (const name of step.names) expect([...(set ?? []), ...kept]).not.toContain(name);
          if (step.do === "apply migrations")
            for (const name of step.names)
              expect(database && applied.map((migration) => migration.name)).not.toContain(name);
          // A version is uploaded with exactly the secrets that are not set yet.
          if (step.do === "deploy")
            expect([...step.secrets, ...(set ?? [])].sort()).toEqual(["ENCRYPTION_KEYS", "SIGNING_KEYS"]);
        }
      }),
    );
  });

  it("reports that a release with new classes of objects is deployed at once, and refuses to do it gradually", () => {
    const behind = but(FULL, {
      worker: { secrets: ["ENCRYPTION_KEYS", "SIGNING_KEYS"], classTag: "v1", isDraft: false, versions: ["old"] },
    });
    expect(plan(behind).notes.join()).toMatch(/new classes of objects \(Campaign, Erasure\).*at once/);
    expect(plan(behind).steps).toContainEqual({ do: "deploy", secrets: [], newClasses: ["Campaign", "Erasure"] });
    expect(reasons(behind, { operator: null, gradual: 10 }).join()).toMatch(
      /Campaign, Erasure.*deploy without --gradual/,
    );
    expect(plan(FULL).notes.join()).toMatch(/--gradual 10/);
    expect(plan(FULL, { operator: null, gradual: 10 }).steps).toContainEqual(
      expect.objectContaining({ do: "deploy gradually", beside: "old", percentage: 10 }),
    );
  });

  it("stores the secrets that it uploads, also those of an interrupted run", () => {
    const broken = but(EMPTY, { keptSecrets: ["ENCRYPTION_KEYS", "SIGNING_KEYS"] });
    expect([EMPTY, broken, FULL].map((state) => uploadsSecrets(plan(state, YOU)))).toEqual([true, true, false]);
  });

  it("continues if only secrets have been set so far", () => {
    const worker = { secrets: ["ENCRYPTION_KEYS"], classTag: null, isDraft: true, versions: [] };
    expect(steps(but(FULL, { worker }))).toContain("deploy");
  });

  it("invites the operator of an earlier run until an operator can sign in", () => {
    const waiting = Object.assign({}, DATABASE, { operators: [{ email: "first@example.com", canSignIn: false }] });
    expect(plan(but(FULL, { database: waiting })).steps).toContainEqual({
      do: "invite operator",
      email: "first@example.com",
    });
    expect(steps(FULL, YOU)).not.toContain("invite operator");
  });
});

describe("a plan refuses", () => {
  it.each([
    [
      "demo users",
      but(FULL, { database: Object.assign({}, DATABASE, { demoUsers: ["owner@acme.example"] }) }),
      /demo users owner@acme.example/,
    ],
    [
      "a database of something else",
      but(FULL, { database: Object.assign({}, DATABASE, { applied: [], isForeign: true }) }),
      /database switchboard exists and belongs to another application/,
    ],
    [
      "a Worker that is something else",
      but(FULL, { worker: { secrets: [], classTag: null, isDraft: false, versions: ["theirs"] } }),
      /Worker switchboard exists and is another application/,
    ],
    [
      "a Worker of a newer release",
      but(FULL, { worker: { secrets: ["ENCRYPTION_KEYS"], classTag: "v3", isDraft: false, versions: ["newer"] } }),
      /does not know \(v3\).*newer release/,
    ],
    [
      "a database that was migrated by a file that has changed since",
      but(FULL, {
        database: Object.assign({}, DATABASE, {
          applied: [
            { name: "0000_init.sql", hash: "other" },
            { name: "0001_more.sql", hash: null },
          ],
        }),
      }),
      /^0000_init\.sql changed after the database switchboard was migrated with it: restore the released files .*npm run migrations/,
    ],
    [
      "a database from before release 0.3.0",
      but(FULL, {
        database: Object.assign({}, DATABASE, { applied: [{ name: "0000_initial.sql", hash: null }] }),
      }),
      /database switchboard was migrated by a version from before release 0\.3\.0 \(0000_initial\.sql\).*wrangler d1 delete switchboard/,
    ],
    ["lost keys", but(FULL, { worker: null }), /encrypted with ENCRYPTION_KEYS.*\/kept\/production\.env/],
    ["a first deployment without an operator", EMPTY, /--operator you@example.com/],
  ])("a plan refuses %s", (_, state, sentence) => {
    expect(reasons(state).join("\n")).toMatch(sentence);
  });

  it("an unknown address, before anything is created", () => {
    const noDomain = targetOf(Object.assign({}, RAW, { routes: [] }), "production", "/root");
    expect(reasons(but(EMPTY, { subdomain: null }), YOU, noDomain).join()).toMatch(/workers-and-pages.*PUBLIC_URL/);
  });

  it.each([
    [{ OPERATOR_SECOND_FACTOR: "off" }, /OPERATOR_SECOND_FACTOR/],
    [{ RATE_LIMITS: "off" }, /RATE_LIMITS/],
    [{ TRUST_CONNECTING_IP: "off" }, /TRUST_CONNECTING_IP/],
    [{ PUBLIC_URL: "http://calls.example.com" }, /PUBLIC_URL/],
    [{ PUBLIC_URL: "https://calls.example.com/path" }, /PUBLIC_URL/],
  ])("a plan refuses settings of a developer's machine: %j", (vars, sentence) => {
    const target = targetOf(Object.assign({}, RAW, { vars: Object.assign({}, RAW.vars, vars) }), "production", "/root");
    expect(reasons(FULL, NO_WISHES, target).join("\n")).toMatch(sentence);
  });

  it.each([0, 100, 12.5, Number.NaN])("a plan refuses %d as a percentage", (gradual) => {
    expect(reasons(FULL, { operator: null, gradual }).join()).toMatch(/1 to 99/);
  });

  it("a third release beside two", () => {
    const worker = {
      secrets: ["ENCRYPTION_KEYS", "SIGNING_KEYS"],
      classTag: "v2",
      isDraft: false,
      versions: ["old", "new"],
    };
    expect(reasons(but(FULL, { worker }), { operator: null, gradual: 10 }).join()).toMatch(/two releases/);
  });
});

describe("staging", () => {
  it("shares no name, counter, address or own variable with production", () => {
    expect([staging.worker, staging.database, staging.buckets]).toEqual([
      "switchboard-staging",
      "switchboard-staging",
      ["switchboard-recordings-staging"],
    ]);
    expect(publicUrl(production, "example")).toBe("https://calls.example.com");
    expect(publicUrl(staging, "example")).toBe("https://switchboard-staging.example.workers.dev");
    expect([production.vars.LLM_MODEL, staging.vars.LLM_MODEL]).toEqual(["a", "b"]);
    const [counter] = staging.configuration.ratelimits ?? [];
    expect(counter?.namespace_id).toMatch(/^[1-9]\d*$/);
    expect(counter?.namespace_id).not.toBe("1002");
    expect(staging.configuration.routes).toBeUndefined();
  });

  it("leaves nothing for wrangler to create by itself", () => {
    const { d1_databases, vars, env } = completed(staging, {
      databaseId: "id",
      url: "https://x.example",
      migrationsFolder: "/migrations",
      migrationHashes: "{}",
    });
    expect(d1_databases).toEqual([
      { binding: "DB", database_name: "switchboard-staging", database_id: "id", migrations_dir: "/migrations" },
    ]);
    expect([vars?.PUBLIC_URL, vars?.MIGRATION_HASHES, env]).toEqual(["https://x.example", "{}", undefined]);
  });

  it.each(["Staging", "", "a_b", "-a", "a".repeat(21)])("staging is not called %j", (name) => {
    expect(() => targetOf(RAW, name, "/root")).toThrow(/the name of an environment/);
  });
});
