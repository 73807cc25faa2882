import { mayGrant } from "../../../../kernel/scopes.ts";
import { api, type Body, data } from "../../api/client.ts";
import { authority, type Role } from "../../api/may.ts";
import { query } from "../../api/queries.ts";
import { access } from "../../texts/index.ts";
import { optionsOf } from "../../ui/options.ts";

export type Member = Body<"Member">;
export type Invitation = Body<"Invitation">;

export const invitationList = () =>
  query(["invitations"], (signal) => data(api.GET("/api/v1/invitations", { signal })));

/** Checks whether the user may grant a role or change a member who has it. */
export function mayGive(role: Role): boolean {
  const own = authority()?.role;
  return own !== undefined && mayGrant(own, role);
}

export const rolesToGive = () => optionsOf(access.roles).filter(({ value }) => mayGive(value));
