import { eq, type SQL } from "drizzle-orm";
import type { Context } from "hono";
import type { AccountStore } from "../db/account-store.ts";
import type { RevisedTable } from "../db/revision.ts";
import { apiKeys, users } from "../db/schema/index.ts";
import type { AppEnv } from "./context.ts";
import { ApiError, invalid, notFound } from "./errors.ts";

/** Matches an entity tag (RFC 9110, 8.8.3), including one that a compressing proxy has weakened. */
const ENTITY_TAG = /^(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;
const ENTITY_TAGS = /^(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")+$/;
const OWN_TAG = /^(\d{1,15})\./;
/** The revision for an unknown tag. No row has it. */
const NO_REVISION = -1;

/** Returns the revision in the request's If-Match; null if any revision is accepted. @throws ApiError 400 */
export function ifMatchOf(c: Context<AppEnv>): number | null {
  const header = c.req.header("if-match")?.trim();
  if (header === undefined || header === "*") return null;
  const [, tag] = ENTITY_TAG.exec(header) ?? [];
  if (tag === undefined) {
    const takes = ENTITY_TAGS.test(header) ? "one ETag, not a list" : "one quoted ETag, or *";
    throw invalid(`If-Match must be ${takes}`, "invalid_if_match");
  }
  const [, revision] = OWN_TAG.exec(tag) ?? [];
  return revision === undefined ? NO_REVISION : Number(revision);
}

/** Who last changed a row, and when. */
interface Revised {
  updated_by: string | null;
  revised_at: string | null;
}

/** Creates the 412 for a write that would overwrite a change that the client has not seen. */
export async function changedMeanwhile(store: AccountStore, what: string, row: Revised): Promise<ApiError> {
  const by = row.updated_by === null ? null : await nameOf(store, row.updated_by);
  const at = row.revised_at;
  const who = by === null || at === null ? "has changed since you read it" : `was changed by ${by} at ${at}`;
  const error = new ApiError(412, "changed_meanwhile", `the ${what} ${who}; read it again before you change it`);
  error.changed = { by, at };
  return error;
}

/** Returns the reason why a write with If-Match changed no row: 404 if the row does not exist, otherwise 412. */
export async function whyUnchanged(
  store: AccountStore,
  table: RevisedTable,
  where: SQL | undefined,
  what: string,
): Promise<ApiError> {
  const [row] = await store.read(store.first(table, { where }));
  return row ? changedMeanwhile(store, what, row as unknown as Revised) : notFound(what);
}

/** Returns the 412 for a write with If-Match to settings, which always exist, either stored or as defaults. */
export async function whySettingsUnchanged(
  store: AccountStore,
  table: RevisedTable,
  where: SQL | undefined,
  what: string,
): Promise<ApiError> {
  const [row] = await store.read(store.first(table, { where }));
  return changedMeanwhile(store, what, row ? (row as unknown as Revised) : { updated_by: null, revised_at: null });
}

/** Returns the display name of an actor in the audit log: a user's e-mail address or a key's name. */
async function nameOf(store: AccountStore, actor: string): Promise<string> {
  const colon = actor.indexOf(":");
  const [kind, subject] = [actor.slice(0, colon), actor.slice(colon + 1)];
  if (kind === "api_key") {
    const [key] = await store.read(store.first(apiKeys, { where: eq(apiKeys.id, subject), columns: ["name"] }));
    return key ? `the API key ${key.name}` : "an API key that was removed";
  }
  if (kind !== "console") return "the service";
  const [user] = await store.read(store.first(users, { where: eq(users.id, subject), columns: ["email"] }));
  return user?.email ?? "a user of another identity provider, or one who was removed";
}
