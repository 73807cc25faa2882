import { createSignal, Show } from "solid-js";
import { ApiFailure, api, type Body, data } from "../../api/client.ts";
import type { Role } from "../../api/may.ts";
import { invalidate } from "../../api/queries.ts";
import { access, members as t } from "../../texts/index.ts";
import { SelectField, TextField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { Section, SidePanel } from "../../ui/page.tsx";
import { FieldsForm } from "../../ui/panel-form.tsx";
import { Facts } from "../../ui/values.tsx";
import { LinkDetails } from "./link-once.tsx";
import { rolesToGive } from "./queries.ts";

const EMPTY: { email: string; role: Role } = { email: "", role: "viewer" };

export default function Invite() {
  const [sent, setSent] = createSignal<Body<"SentInvitation">>();
  const form = createForm({
    initial: EMPTY,
    save: async (body) => {
      setSent(await data(api.POST("/api/v1/invitations", { body })).catch(inWords));
      await invalidate("invitations");
    },
  });
  const fields = () => (
    <>
      <FieldsForm needs="createInvitation" form={form} verb={t.invite.verb}>
        <TextField
          label={t.columns.email}
          type="email"
          hint={t.invite.emailHint}
          autocomplete="off"
          {...form.field("email")}
          required
        />
        <SelectField
          label={t.columns.role}
          hint={access.roleHints[form.values.role]}
          {...form.field("role")}
          options={rolesToGive()}
        />
      </FieldsForm>
      <Section title={t.rolesTitle}>
        <Facts of={rolesToGive().map(({ value, label }) => [label, () => access.roleHints[value]])} />
      </Section>
    </>
  );
  return (
    <SidePanel title={sent() ? t.invite.done(sent()?.email ?? "") : t.add} closeTo="/members">
      <Show when={sent()} fallback={fields()}>
        {(invitation) => <LinkDetails label={t.link.label} to={invitation().email} link={invitation()} />}
      </Show>
    </SidePanel>
  );
}

/** Throws the console's text for why the invitation failed. */
function inWords(error: unknown): never {
  const code = error instanceof ApiFailure ? error.code : "";
  const words: Partial<Record<string, string>> = t.invite.refused;
  throw words[code] === undefined ? error : new Error(words[code]);
}
