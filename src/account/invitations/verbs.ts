import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import { type AccountStore, subject } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { invitations, users } from "../../kernel/db/schema/index.ts";
import { baseOf } from "../../kernel/http/base-url.ts";
import type { Bindings, Principal } from "../../kernel/http/context.ts";
import { conflict, notFound } from "../../kernel/http/errors.ts";
import type { Role } from "../../kernel/scopes.ts";
import { DAY_MS } from "../../kernel/time.ts";
import { nameForStrangers } from "../account-names.ts";
import { mintToken } from "../auth/link-tokens.ts";
import { sendMail } from "../mail/send-mail.ts";
import { invitationMail } from "../mail/texts.ts";
import { assertMayGrant, callerIsStill, exceedsOwn, isWithin } from "../roles.ts";

/** The inviting member and the account. */
interface Context {
  env: Bindings;
  store: AccountStore;
  principal: Principal;
  /** The current time, ms. */
  now: number;
}

const LIFETIME_MS = 7 * DAY_MS;
/** How long an expired invitation can still be sent again, ms. */
const SENT_AGAIN_MS = 30 * DAY_MS;
/** The maximum number of open invitations of an account. */
const MOST_OPEN = 100;

/** Creates an invitation and mails its link. @throws ApiError 403, 409 */
export async function invite(context: Context, id: string, { email, role }: { email: string; role: Role }) {
  const { store, principal, now } = context;
  assertMayGrant(principal, role);
  const { url, hash, expires_at } = await newLink(context);
  const created_at = new Date(now).toISOString();
  const isMember = sql`EXISTS (SELECT 1 FROM users other WHERE other.account = ${store.account} AND other.email = ${email})`;
  const count = sql`(SELECT count(*) FROM invitations open WHERE open.account = ${store.account} AND open.expires_at > ${created_at})`;
  const values = { id, email, role, hash, invited_by: users.id, created_at, expires_at };
  const [, , row, open, profile, by] = await store.write(
    { action: "create", resource: "invitation", resource_id: id },
    store.delete(invitations, isOver(email, now)),
    subject(
      store.insertSelected(
        invitations,
        users,
        all(
          eq(users.id, principal.subject),
          callerIsStill(principal),
          sql`NOT ${isMember}`,
          sql`${count} < ${MOST_OPEN}`,
        ),
        values,
        "keep",
      ),
    ),
    store.first(invitations, { where: eq(invitations.id, id) }),
    store.count(invitations, gt(invitations.expires_at, created_at)),
    store.profile(),
    ownAddress(context),
  );
  if (!row) throw await whyNotInvited(store, email, open);
  return deliverInvitation(context, row, { account: shown(store, profile), by: by?.email }, { url, expires_at });
}

/** Matches expired invitations of this address, and all that expired long ago. */
function isOver(email: string, now: number): SQL {
  const [at, before] = [now, now - SENT_AGAIN_MS].map((ms) => new Date(ms).toISOString());
  const { email: address, expires_at } = invitations;
  return sql`((${address} = ${email} AND ${expires_at} <= ${at}) OR ${expires_at} <= ${before})`;
}

/** Sends an invitation again with a new link. The earlier link stops working. @throws ApiError 403, 404 */
export async function resend(context: Context, id: string) {
  const { store, principal } = context;
  const { url, hash, expires_at } = await newLink(context);
  const [[row], profile, by] = await store.write(
    { action: "resend", resource: "invitation", resource_id: id },
    store.update(invitations, { hash, expires_at, invited_by: principal.subject }, mayBeChanged(context, id)),
    store.profile(),
    ownAddress(context),
  );
  if (!row) throw await whyNot(store, id);
  return deliverInvitation(context, row, { account: shown(store, profile), by: by?.email }, { url, expires_at });
}

/** Withdraws an invitation. @throws ApiError 403, 404 */
export async function withdraw(context: Context, id: string): Promise<void> {
  const { store } = context;
  const [[row]] = await store.write(
    { action: "delete", resource: "invitation", resource_id: id },
    store.delete(invitations, mayBeChanged(context, id)),
  );
  if (!row) throw await whyNot(store, id);
}

async function newLink({ env, store, now }: Context) {
  const base = baseOf(env);
  const { token, hash } = await mintToken(store.account);
  // The token is after the #, because servers don't log that part.
  return { url: `${base}/console/accept#${token}`, hash, expires_at: new Date(now + LIFETIME_MS).toISOString() };
}

interface Row {
  id: string;
  email: string;
  role: Role;
}

/** The names of the account and of the inviting member. */
interface Names {
  account: string;
  by: string | undefined;
}

async function deliverInvitation(
  { env, store }: Context,
  { id, email, role }: Row,
  { account, by = "A member" }: Names,
  link: { url: string; expires_at: string },
) {
  const mailed = await sendMail(env, store.account, invitationMail(email, account, by, role, link));
  return Object.assign({ id, email, role, mailed }, link);
}

const shown = ({ account }: AccountStore, { display_name }: { display_name: string }) =>
  nameForStrangers({ name: account, display_name });

function ownAddress({ store, principal }: Context) {
  return store.first(users, { where: eq(users.id, principal.subject), columns: ["email"] });
}

function mayBeChanged({ principal }: Context, id: string) {
  return all(and(eq(invitations.id, id), isWithin(principal, invitations.role)), callerIsStill(principal));
}

async function whyNotInvited(store: AccountStore, email: string, open: number) {
  const [invited, member] = await store.read(
    store.first(invitations, { where: eq(invitations.email, email), columns: ["id"] }),
    store.first(users, { where: eq(users.email, email), columns: ["id"] }),
  );
  if (member) return conflict("already_member", "this address already belongs to a member");
  if (invited) return conflict("already_invited", "this address is already invited: send that invitation again");
  if (open >= MOST_OPEN)
    return conflict("too_many_invitations", `${MOST_OPEN} invitations are open: withdraw some first`);
  return exceedsOwn("your role has changed in the meantime; try again");
}

/** Returns the error that explains why the caller cannot change this invitation. */
async function whyNot(store: AccountStore, id: string) {
  const [row] = await store.read(store.first(invitations, { where: eq(invitations.id, id), columns: ["id"] }));
  return row ? exceedsOwn("you cannot grant the role of this invitation") : notFound("invitation");
}
