import { OpenAPIHono } from "@hono/zod-openapi";
import { asc, eq } from "drizzle-orm";
import { invitations as invitationTable } from "../../kernel/db/schema/index.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { idempotent, serve } from "../../kernel/http/serve.ts";
import { acceptInvitation, describeInvitation } from "./accept.ts";
import * as contract from "./contract.ts";
import { invite, resend, withdraw } from "./verbs.ts";

export const invitations = new OpenAPIHono<AppEnv>();

serve(invitations, contract.listInvitations, async ({ store }) => {
  const [rows] = await store.read(store.select(invitationTable, { orderBy: [asc(invitationTable.email)] }));
  return { invitations: rows, total: rows.length };
});

serve(
  invitations,
  contract.createInvitation,
  ({ env, store, principal, body, now, newId }) => invite({ env, store, principal, now }, newId(), body),
  async ({ store }, id) => {
    const [row] = await store.read(store.first(invitationTable, { where: eq(invitationTable.id, id) }));
    return row ? Object.assign(row, { url: null, mailed: false }) : null;
  },
);

serve(
  invitations,
  contract.resendInvitation,
  ({ env, store, principal, params, now }) => resend({ env, store, principal, now }, params.id),
  idempotent("a new link replaces the previous one"),
);

serve(invitations, contract.deleteInvitation, ({ env, store, principal, params, now }) =>
  withdraw({ env, store, principal, now }, params.id),
);

serve(invitations, contract.lookUpInvitation, ({ c, body }) => describeInvitation(c, body.token));

serve(invitations, contract.acceptInvitation, ({ c, body: { token, ...member } }) =>
  acceptInvitation(c, token, member),
);
