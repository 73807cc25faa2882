import { createSignal, Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { apiKeys as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Failure } from "../../ui/feedback.tsx";
import { Fields, SelectField, TextField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { optionsOf } from "../../ui/options.ts";
import { Section, SidePanel } from "../../ui/page.tsx";
import { SecretOnce } from "../../ui/secret-once.tsx";
import { keysChanged } from "./queries.ts";

/** Makes a key and shows it, once. */
export default function NewApiKey() {
  const [created, setCreated] = createSignal<Body<"CreatedApiKey">>();
  const form = createForm({
    initial: { name: "", expiry: "" },
    save: async ({ name, expiry }) => {
      setCreated(await data(api.POST("/api/v1/api-keys", { body: { name, ...(expiry && { expiry }) } })));
      await keysChanged();
    },
  });
  return (
    <SidePanel title={created()?.name ?? t.add} closeTo="/api-keys">
      <Show when={created()?.key} fallback={<NewKeyForm form={form} />}>
        {(key) => (
          <>
            <SecretOnce label={t.key} secret={key()} />
            <Section title={t.tryIt}>
              <CodeBlock
                label={t.tryIt}
                code={`curl -H 'Authorization: Bearer ${key()}' \\\n  ${location.origin}/api/v1/agents`}
              />
            </Section>
          </>
        )}
      </Show>
    </SidePanel>
  );
}

function NewKeyForm(props: { form: ReturnType<typeof createForm<{ name: string; expiry: string }>> }) {
  return (
    <form onSubmit={(event) => void props.form.submit(event)}>
      <Fields>
        <Show when={props.form.failure()}>{(failure) => <Failure error={failure()} />}</Show>
        <TextField
          label={t.fields.name}
          hint={t.nameHint}
          value={props.form.values.name}
          onInput={(name) => props.form.set("name", name)}
          error={props.form.error("name")}
          required
        />
        <SelectField
          label={t.expiry}
          value={props.form.values.expiry}
          options={optionsOf(t.expiries)}
          onChange={(expiry) => props.form.set("expiry", expiry)}
          error={props.form.error("expiry")}
        />
        <div>
          <Button kind="primary" type="submit" busy={props.form.busy()}>
            {t.create}
          </Button>
        </div>
      </Fields>
    </form>
  );
}
