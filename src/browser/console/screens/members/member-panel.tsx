import { Show } from "solid-js";
import { ApiFailure, api, data } from "../../api/client.ts";
import { memberList } from "../../api/lists.ts";
import { authority } from "../../api/may.ts";
import { invalidate } from "../../api/queries.ts";
import { storedBy } from "../../api/use-query.ts";
import { access, common, members as t } from "../../texts/index.ts";
import { Note } from "../../ui/feedback.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { FieldsForm } from "../../ui/panel-form.tsx";
import { fromList, ResourcePanel } from "../../ui/resource-panel.tsx";
import { notify } from "../../ui/toast.tsx";
import { CopiedCode, Facts, Time } from "../../ui/values.tsx";
import { SecondFactor } from "./members.tsx";
import { type Member, mayGive, rolesToGive } from "./queries.ts";
import { RemoveMember } from "./remove-member.tsx";
import { ResetLink } from "./reset-link.tsx";

/** Finds a member by the ID in the address, which is percent-encoded if an identity provider's ID needs it. */
const memberById = fromList(memberList, ({ members }, address) =>
  members.find(({ id }) => id === address || encodeURIComponent(id) === address),
);

export default function MemberPanel() {
  return (
    <ResourcePanel
      query={memberById}
      one={t.one}
      title={({ name, email }) => name || email}
      lead={(member) => access.roles[member().role]}
      closeTo="/members"
      actions={(member) => <Actions member={member()} />}
    >
      {(member) => (
        <>
          <Show when={mayGive(member().role)} fallback={<Note>{t.exceeds}</Note>}>
            <RoleForm member={member()} />
          </Show>
          <Facts
            of={[
              [t.columns.email, () => member().email],
              [t.columns.source, () => t.sources[member().source]],
              [t.columns.factor, () => <SecondFactor of={member()} />],
              [t.columns.seen, () => <Time at={member().last_seen_at} />],
              [t.columns.id, () => <CopiedCode text={member().id} />],
            ]}
          />
        </>
      )}
    </ResourcePanel>
  );
}

function Actions(props: { member: Member }) {
  const isSelf = () => authority()?.user_id === props.member.id;
  return (
    <Show when={mayGive(props.member.role)}>
      {/* Users change their own password with the current one. */}
      <Show when={props.member.source === "password" && !isSelf()}>
        <ResetLink member={props.member} />
      </Show>
      <RemoveMember member={props.member} />
    </Show>
  );
}

const roleOf = ({ role }: Member) => ({ role });

/** The member's role, within what the user may grant. */
function RoleForm(props: { member: Member }) {
  const form = createForm({
    initial: roleOf(props.member),
    stored: storedBy(props.member, memberById(props.member.id), roleOf),
    save: async (body) => {
      const params = { path: { id: props.member.id } };
      try {
        await data(api.PATCH("/api/v1/members/{id}", { params, body }));
      } catch (error) {
        if (error instanceof ApiFailure && error.code === "last_owner") throw new Error(t.lastOwner.role);
        throw error;
      }
      // It may be the user's own role.
      await invalidate("members", "session");
      notify(common.saved);
    },
  });
  return (
    <FieldsForm needs="updateMember" form={form} verb={t.changeRole} disabled={!form.dirty()}>
      <SelectField
        label={t.columns.role}
        hint={access.roleHints[form.values.role]}
        {...form.field("role")}
        options={rolesToGive()}
      />
    </FieldsForm>
  );
}
