import { For } from "solid-js";
import { ApiFailure, api, data } from "../../../api/client.ts";
import { storedBy } from "../../../api/use-query.ts";
import { common, board as t } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { changesOf } from "../../../ui/changes.ts";
import { Fields, TextField } from "../../../ui/fields.tsx";
import { createForm } from "../../../ui/form.ts";
import { FormProblem } from "../../../ui/form-problem.tsx";
import { ScopedForm } from "../../../ui/scoped-form.tsx";
import { notify } from "../../../ui/toast.tsx";
import { type ContactDetail, contactById, contactsChanged } from "../live/queries.ts";

/** Shows at the number's field that another contact already has the number. */
function atItsField(error: unknown): never {
  if (!(error instanceof ApiFailure) || error.code !== "duplicate_number") throw error;
  const { status, code, requestId } = error;
  const message = t.contact.takenNumber;
  throw new ApiFailure(status, code, message, requestId, [{ field: "phone_number", message }]);
}

export function CorrectContact(props: { campaignId: string; contact: ContactDetail }) {
  const path = { id: props.campaignId, contactId: props.contact.id };
  const form = createForm({
    initial: valuesOf(props.contact),
    stored: storedBy(props.contact, contactById(path.id, path.contactId), valuesOf),
    save: async (entered, before) => {
      const request = { params: { path }, body: changesOf(before, entered) };
      await data(api.PATCH("/api/v1/campaigns/{id}/contacts/{contactId}", request)).catch(atItsField);
      notify(common.saved);
      await contactsChanged(path.id);
    },
  });
  return (
    <ScopedForm needs="correctCampaignContact" onSubmit={form.submit}>
      <Fields>
        <FormProblem form={form} />
        <TextField label={t.contact.number} inputMode="tel" {...form.field("phone_number")} required />
        <For each={Object.keys(form.values.variables)}>
          {(name) => (
            <TextField
              label={name}
              value={form.values.variables[name] ?? ""}
              onInput={(value) => form.set("variables", name, value)}
              error={form.error(`variables.${name}`)}
            />
          )}
        </For>
        <div>
          <Button kind="primary" type="submit" busy={form.busy()} disabled={!form.dirty()}>
            {common.saveChanges}
          </Button>
        </div>
      </Fields>
    </ScopedForm>
  );
}

const valuesOf = ({ phone_number, variables }: ContactDetail) => ({ phone_number, variables: { ...variables } });
