import { type AppliedMigration, changedSince, type MigrationFile } from "../migration-files.ts";
import { PRODUCTION, publicUrl, type Target } from "./target.ts";

/** The parts of a deployment that exist in the Cloudflare account and on this machine. */
export interface State {
  accountId: string;
  /** The account's name under workers.dev; null before it has one. */
  subdomain: string | null;
  database: {
    id: string;
    applied: AppliedMigration[];
    operators: { email: string; canSignIn: boolean }[];
    /** Addresses of demo users, whose password is public. */
    demoUsers: string[];
    /** Whether it contains any value sealed with an encryption key. */
    isSealed: boolean;
    /** Whether it has tables that do not belong to this service. */
    isForeign: boolean;
  } | null;
  /** The wanted buckets that exist. */
  buckets: string[];
  worker: {
    secrets: string[];
    /** The last applied migration of classes of objects. */
    classTag: string | null;
    /** Whether it has only secrets so far. */
    isDraft: boolean;
    /** The versions that serve requests. */
    versions: string[];
  } | null;
  /** The names of secrets whose values are stored on this machine. */
  keptSecrets: string[];
  migrations: MigrationFile[];
}

export interface Wishes {
  /** The first operator's address. */
  operator: string | null;
  /** The percentage of requests that the new release gets at first; null for all at once. */
  gradual: number | null;
}

export type Step =
  | { do: "create database"; name: string }
  | { do: "create bucket"; name: string }
  | { do: "keep fresh secrets"; names: string[] }
  | { do: "apply migrations"; names: string[] }
  | { do: "deploy"; secrets: string[]; newClasses: string[] }
  | { do: "deploy gradually"; secrets: string[]; percentage: number; beside: string }
  | { do: "invite operator"; email: string };

export interface Plan {
  /** The service's public address. */
  url: string;
  steps: Step[];
  /** Sentences to print with the plan. */
  notes: string[];
}

/** The obstacles to the deployment, each as a sentence that says what to do. */
export class Refused extends Error {
  override name = "Refused";
  readonly reasons: string[];

  constructor(reasons: string[]) {
    super(reasons.join("\n"));
    this.reasons = reasons;
  }
}

/**
 * Plans the missing steps, in an order that can be interrupted after any step and repeated. Only the release itself is
 * always included.
 * @throws Refused with every obstacle
 */
export function planOf(target: Target, state: State, wishes: Wishes, secretsFile: string): Plan {
  const url = publicUrl(target, state.subdomain);
  const { database, worker } = state;
  const missing = target.requiredSecrets.filter((name) => !worker?.secrets.includes(name));
  const fresh = missing.filter((name) => !state.keptSecrets.includes(name));
  const newClasses = classesAfter(target, worker?.classTag ?? null);
  const email = operatorToInvite(target, state, wishes);
  const reasons = [
    ...settingsInTheWay(target, url),
    ...othersInTheWay(target, state),
    ...migrationsInTheWay(target, state),
    ...demoInTheWay(target, database?.demoUsers ?? []),
    ...(fresh.includes("ENCRYPTION_KEYS") && database?.isSealed ? [keysLost(target, secretsFile)] : []),
    ...gradualInTheWay(wishes, state, newClasses),
    ...(url === null ? [noSubdomain(state.accountId)] : []),
    ...(email === "unknown"
      ? [`the first operator's email is missing: run npm run deploy -- ${flags(target)}--operator you@example.com`]
      : []),
  ];
  if (url === null || reasons.length > 0) throw new Refused(reasons);

  const steps: Step[] = [];
  if (!database) steps.push({ do: "create database", name: target.database });
  for (const name of target.buckets.filter((bucket) => !state.buckets.includes(bucket)))
    steps.push({ do: "create bucket", name });
  if (fresh.length > 0) steps.push({ do: "keep fresh secrets", names: fresh });
  const applied = new Set(database?.applied.map(({ name }) => name));
  const unapplied = state.migrations.map(({ name }) => name).filter((name) => !applied.has(name));
  if (unapplied.length > 0) steps.push({ do: "apply migrations", names: unapplied });
  const [beside] = worker?.versions ?? [];
  steps.push(
    wishes.gradual !== null && beside !== undefined
      ? { do: "deploy gradually", secrets: missing, percentage: wishes.gradual, beside }
      : { do: "deploy", secrets: missing, newClasses: worker ? newClasses : [] },
  );
  if (email !== null) steps.push({ do: "invite operator", email });
  return { url, steps, notes: notesOn(state, wishes, newClasses) };
}

/** Checks whether the plan uploads secrets stored on this machine, including those of an interrupted earlier run. */
export function uploadsSecrets({ steps }: Plan): boolean {
  return steps.some((step) => "secrets" in step && step.secrets.length > 0);
}

/** Returns the arguments that name the environment, with a space after them. */
export function flags({ environment }: Target): string {
  return environment === PRODUCTION ? "" : `--env ${environment} `;
}

function classesAfter({ classes }: Target, tag: string | null): string[] {
  return classes.slice(classes.findIndex((step) => step.tag === tag) + 1).flatMap(({ added }) => added);
}

/** Returns the operator who needs a link; null if an operator can sign in, "unknown" if no address is given. */
function operatorToInvite({ vars }: Target, { database }: State, { operator }: Wishes): string | null {
  const passwords = vars.EMBEDDED_LOGIN ? vars.EMBEDDED_LOGIN === "on" : !vars.OIDC_ISSUER;
  const operators = database?.operators ?? [];
  if (!passwords || operators.some(({ canSignIn }) => canSignIn)) return null;
  return operator ?? operators[0]?.email ?? "unknown";
}

function settingsInTheWay({ vars, environment }: Target, url: string | null): string[] {
  const reasons: string[] = [];
  if (vars.OPERATOR_SECOND_FACTOR !== "required")
    reasons.push('OPERATOR_SECOND_FACTOR must be "required" under [vars]: operators reach every account');
  if (environment === PRODUCTION && vars.RATE_LIMITS !== "on")
    reasons.push('RATE_LIMITS must be "on" under [vars]: it may only be off for load tests');
  if (vars.TRUST_CONNECTING_IP !== "on")
    reasons.push('TRUST_CONNECTING_IP must be "on" under [vars]: all clients would count as one address');
  if (url !== null && !(URL.canParse(url) && url === new URL(url).origin && url.startsWith("https://")))
    reasons.push(`PUBLIC_URL must be an address such as https://calls.example.com, not ${url}`);
  return reasons;
}

/** Finds unrelated resources with this deployment's names, which would be overwritten or mixed with it. */
function othersInTheWay({ worker: name, database: databaseName, classes }: Target, state: State): string[] {
  const { worker, database } = state;
  const reasons: string[] = [];
  if (database?.isForeign)
    reasons.push(
      `the database ${databaseName} exists and belongs to another application: set another database_name in deployment.toml`,
    );
  if (worker && !worker.isDraft && worker.classTag === null)
    reasons.push(`the Worker ${name} exists and is another application: set another name in deployment.toml`);
  else if (worker && worker.classTag !== null && !classes.some(({ tag }) => tag === worker.classTag))
    reasons.push(
      `the Worker ${name} has objects that this release does not know (${worker.classTag}). If it is a newer release, deploy that release or a newer one, because Cloudflare cannot go back; if it is another application, set another name in deployment.toml`,
    );
  return reasons;
}

/** Finds applied migrations that differ from this release's. The database then has another schema than expected. */
function migrationsInTheWay({ database: name, environment }: Target, { database, migrations }: State): string[] {
  const applied = database?.applied ?? [];
  const remove = `npx wrangler d1 delete ${name} -c dist/deploy/${environment}.json`;
  const known = new Set(migrations.map((file) => file.name));
  if (applied.length > 0 && !applied.some((one) => known.has(one.name)))
    return [
      `the database ${name} was migrated by a version from before release 0.3.0 (${applied[0]?.name}), which releases cannot upgrade: set another name and database_name in deployment.toml, or, if you need nothing that is deployed there, delete the Worker (npx wrangler delete -c dist/deploy/${environment}.json) and the database (${remove}) and run the command again`,
    ];
  const changed = changedSince(applied, migrations);
  if (changed.length === 0) return [];
  return [
    `${changed.join(", ")} changed after the database ${name} was migrated with it: restore the released files (git checkout <that release> -- migrations) and put the change into a new migration (npm run migrations -- --name <what>). If you need nothing in the database, delete it (${remove}) and run the command again`,
  ];
}

function demoInTheWay({ database, environment }: Target, users: string[]): string[] {
  if (users.length === 0) return [];
  const list = users.map((email) => `'${email}'`).join(", ");
  return [
    `the database has the demo users ${users.join(", ")}, whose password is public; remove them first: npx wrangler d1 execute ${database} --remote -c dist/deploy/${environment}.json --command "DELETE FROM users WHERE email IN (${list})"`,
  ];
}

function keysLost({ database, environment }: Target, file: string): string {
  return `the database ${database} contains data encrypted with ENCRYPTION_KEYS, but neither the Worker nor ${file} has these keys: add the line ENCRYPTION_KEYS='…' to the file and run npm run deploy${environment === PRODUCTION ? "" : ` -- --env ${environment}`} again. If the keys are lost, the data is lost too (carriers' credentials, integrations, second factors): then add a new value, which npm run --silent secret ENCRYPTION_KEYS prints`;
}

function gradualInTheWay({ gradual }: Wishes, { worker }: State, newClasses: string[]): string[] {
  if (gradual === null) return [];
  if (!(Number.isInteger(gradual) && gradual >= 1 && gradual <= 99))
    return ["--gradual must be a percentage from 1 to 99"];
  if (!worker) return ["nothing is deployed yet, so there is nothing to share requests with: deploy without --gradual"];
  if (newClasses.length > 0)
    return [
      `this release brings new classes of objects (${newClasses.join(", ")}), which Cloudflare cannot deploy gradually: deploy without --gradual`,
    ];
  if (worker.versions.length !== 1)
    return [
      "two releases already share the requests: give all requests to one of them first (npx wrangler versions deploy)",
    ];
  return [];
}

function noSubdomain(accountId: string): string {
  return `the Cloudflare account has no name under workers.dev yet: open https://dash.cloudflare.com/${accountId}/workers-and-pages once and choose one, or put an address of your own under [vars] in deployment.toml as PUBLIC_URL`;
}

function notesOn({ worker, database, migrations }: State, { gradual }: Wishes, newClasses: string[]): string[] {
  const notes: string[] = [];
  if (worker && newClasses.length > 0)
    notes.push(
      `This release brings new classes of objects (${newClasses.join(", ")}): it is deployed at once, and Cloudflare cannot roll back to an earlier release.`,
    );
  else if (worker && gradual === null)
    notes.push(
      "This release brings no new classes of objects: you can give it a tenth of the requests first with --gradual 10.",
    );
  const known = new Set(migrations.map(({ name }) => name));
  const newer = (database?.applied ?? []).map(({ name }) => name).filter((name) => !known.has(name));
  if (newer.length > 0)
    notes.push(
      `The database was migrated by a newer release (${newer.join(", ")}). This release only works with it if it is the release directly before that one.`,
    );
  return notes;
}
