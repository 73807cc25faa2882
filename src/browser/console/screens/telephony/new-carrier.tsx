import { useNavigate } from "@solidjs/router";
import { For, splitProps } from "solid-js";
import { reconcile } from "solid-js/store";
import { api, data } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { carriers as t } from "../../texts/index.ts";
import { SelectField, TextArea, TextField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { SidePanel } from "../../ui/page.tsx";
import { FieldsForm } from "../../ui/panel-form.tsx";
import { notify } from "../../ui/toast.tsx";
import { CREDENTIAL_FIELDS, type CredentialField, credentialsOf, PROVIDERS } from "./credential-fields.ts";

interface Entered {
  provider: (typeof PROVIDERS)[number];
  label: string;
  credentials: Record<string, string>;
}

/** Form for a carrier's credentials, with the fields that each carrier needs. */
export default function NewCarrier() {
  const navigate = useNavigate();
  const initial: Entered = { provider: "twilio", label: "", credentials: {} };
  const form = createForm({
    initial,
    save: async ({ provider, label, credentials: typed }) => {
      const credentials = credentialsOf(provider, typed);
      const named = label.trim() === "" ? {} : { label };
      const body = { provider, credentials, ...named };
      const { id } = await data(api.POST("/api/v1/telephony/providers", { body }));
      form.reset();
      await invalidate("carriers");
      notify(t.form.stored);
      navigate(`/carriers/${id}`);
    },
  });
  const choose = (provider: Entered["provider"]) => {
    form.set("provider", provider);
    // Values entered for one carrier must not be shown or sent for another.
    form.set("credentials", reconcile({}));
  };
  return (
    <SidePanel title={t.add} lead={t.form.lead} closeTo="/carriers">
      <FieldsForm needs="createTelephonyProvider" form={form} verb={t.form.submit}>
        <SelectField
          label={t.form.provider}
          {...form.field("provider")}
          options={PROVIDERS.map((value) => ({ value, label: t.names[value] }))}
          onInput={choose}
        />
        <For each={CREDENTIAL_FIELDS[form.values.provider]}>
          {(field) => (
            <Credential
              field={field}
              value={form.values.credentials[field.name] ?? ""}
              onInput={(value) => form.set("credentials", field.name, value)}
              error={form.error(`credentials.${field.name}`)}
            />
          )}
        </For>
        <TextField
          label={t.form.label}
          hint={t.form.labelHint}
          placeholder={t.form.labelPlaceholder}
          {...form.field("label")}
          autocomplete="off"
          maxlength={200}
        />
      </FieldsForm>
    </SidePanel>
  );
}

function Credential(props: {
  field: CredentialField;
  value: string;
  onInput: (value: string) => void;
  error: string | undefined;
}) {
  const [own, input] = splitProps(props, ["field"]);
  const { words, isLong, isSecret, isOptional } = own.field;
  return isLong ? (
    <TextArea code rows={6} spellcheck={false} {...words} {...input} required={!isOptional} />
  ) : (
    <TextField
      code
      type={isSecret ? "password" : "text"}
      autocomplete={isSecret ? "new-password" : "off"}
      {...words}
      {...input}
      required={!isOptional}
    />
  );
}
