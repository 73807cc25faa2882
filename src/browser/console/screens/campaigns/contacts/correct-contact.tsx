import { For, Show } from "solid-js";
import { ApiFailure, api, data } from "../../../api/client.ts";
import { common, board as t } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { Failure } from "../../../ui/feedback.tsx";
import { Fields, TextField } from "../../../ui/fields.tsx";
import { createForm } from "../../../ui/form.ts";
import { ScopedForm } from "../../../ui/scoped-form.tsx";
import { notify } from "../../../ui/toast.tsx";
import { type ContactDetail, contactsChanged } from "../live/queries.ts";

/** Shows at the number's field that another contact already has the number. */
function atItsField(error: unknown): never {
  if (!(error instanceof ApiFailure) || error.code !== "duplicate_number") throw error;
  const { status, code, requestId } = error;
  const message = t.contact.takenNumber;
  throw new ApiFailure(status, code, message, requestId, [{ field: "phone_number", message }]);
}

export function CorrectContact(props: { campaignId: string; contact: ContactDetail }) {
  const { id: contactId, phone_number, variables } = props.contact;
  const form = createForm({
    initial: { phone_number, variables: { ...variables } },
    save: async (entered) => {
      const path = { id: props.campaignId, contactId };
      const request = { params: { path }, body: entered };
      await data(api.PATCH("/api/v1/campaigns/{id}/contacts/{contactId}", request)).catch(atItsField);
      notify(common.saved);
      await contactsChanged(props.campaignId);
    },
  });
  return (
    <ScopedForm needs="correctCampaignContact" onSubmit={form.submit}>
      <Fields>
        <Show when={form.failure()}>{(failure) => <Failure error={failure()} />}</Show>
        <TextField label={t.contact.number} inputMode="tel" {...form.field("phone_number")} required />
        <For each={Object.keys(variables ?? {})}>
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
