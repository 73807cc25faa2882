import { useNavigate } from "@solidjs/router";
import { For, Show } from "solid-js";
import { reconcile } from "solid-js/store";
import { api, data } from "../../api/client.ts";
import { carriers as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Failure } from "../../ui/feedback.tsx";
import { Fields, SelectField, TextArea, TextField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { SidePanel } from "../../ui/page.tsx";
import { tell } from "../../ui/toast.tsx";
import { CREDENTIAL_FIELDS, type CredentialField, credentialsOf, PROVIDERS } from "./credential-fields.ts";
import { carriersChanged } from "./queries.ts";

interface Entered {
  provider: (typeof PROVIDERS)[number];
  label: string;
  credentials: Record<string, string>;
}

/** The form that stores a carrier's credentials, with the fields that each carrier needs. */
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
      await carriersChanged();
      tell(t.form.stored);
      navigate(`/carriers/${id}`);
    },
  });
  const choose = (value: string) => {
    const provider = PROVIDERS.find((each) => each === value);
    // What was typed for one carrier is not to be shown, or sent, as another's.
    if (!provider) return;
    form.set("provider", provider);
    form.set("credentials", reconcile({}));
  };
  return (
    <SidePanel title={t.add} lead={t.form.lead} closeTo="/carriers">
      <form onSubmit={form.submit} autocomplete="off">
        <Fields>
          <Show when={form.failure()}>{(failure) => <Failure error={failure()} />}</Show>
          <SelectField
            label={t.form.provider}
            value={form.values.provider}
            options={PROVIDERS.map((value) => ({ value, label: t.names[value] }))}
            onChange={choose}
            error={form.error("provider")}
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
            value={form.values.label}
            onInput={(value) => form.set("label", value)}
            error={form.error("label")}
            maxlength={200}
          />
          <div>
            <Button kind="primary" type="submit" busy={form.busy()}>
              {t.form.submit}
            </Button>
          </div>
        </Fields>
      </form>
    </SidePanel>
  );
}

function Credential(props: {
  field: CredentialField;
  value: string;
  onInput: (value: string) => void;
  error: string | undefined;
}) {
  return (
    <Show
      when={props.field.isLong}
      fallback={
        <TextField
          code
          type={props.field.isSecret ? "password" : "text"}
          autocomplete={props.field.isSecret ? "new-password" : "off"}
          label={props.field.words.label}
          hint={props.field.words.hint}
          value={props.value}
          onInput={props.onInput}
          error={props.error}
          required={!props.field.isOptional}
        />
      }
    >
      <TextArea
        code
        rows={6}
        spellcheck={false}
        label={props.field.words.label}
        hint={props.field.words.hint}
        value={props.value}
        onInput={props.onInput}
        error={props.error}
        required={!props.field.isOptional}
      />
    </Show>
  );
}
