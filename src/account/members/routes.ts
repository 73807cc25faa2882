import { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "../../kernel/http/context.ts";
import { notFound } from "../../kernel/http/errors.ts";
import { harmless, serve } from "../../kernel/http/serve.ts";
import * as contract from "./contract.ts";
import { readMember, readMembers } from "./read-members.ts";
import { createResetLink } from "./reset-link.ts";
import { changeRole, removeMember } from "./verbs.ts";

/** The account's members and their roles. */
export const members = new OpenAPIHono<AppEnv>();

serve(members, contract.listMembers, async ({ env, store }) => {
  const rows = await readMembers(env, store);
  return { members: rows, total: rows.length };
});

serve(members, contract.updateMember, async ({ env, store, principal, params: { id }, body }) => {
  await changeRole({ env, store, principal }, id, body.role);
  const member = await readMember(env, store, id);
  if (!member) throw notFound("member");
  return member;
});

serve(members, contract.removeMember, ({ env, store, principal, params, query, now }) =>
  removeMember({ env, store, principal }, params.id, query.keys, now),
);

serve(
  members,
  contract.createResetLink,
  ({ env, store, principal, params, now }) => createResetLink({ env, store, principal }, params.id, now),
  harmless("a new link takes the place of the one before"),
);
