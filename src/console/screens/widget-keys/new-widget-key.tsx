import { createSignal, Show } from "solid-js";
import { api, data } from "../../api/client.ts";
import { widgetKeys as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Failure } from "../../ui/feedback.tsx";
import { Fields } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { Section, SidePanel } from "../../ui/page.tsx";
import { SecretOnce } from "../../ui/secret-once.tsx";
import { type CreatedWidgetKey, embedCode, keysChanged } from "./queries.ts";
import { originsOf, WidgetKeyFields, type WidgetKeyValues } from "./widget-key-fields.tsx";

/** Makes a key and shows it, with the line for the page. */
export default function NewWidgetKey() {
  const [created, setCreated] = createSignal<CreatedWidgetKey>();
  const form = createForm<WidgetKeyValues>({
    initial: { name: "", agent_id: "", origins: "" },
    save: async ({ name, agent_id, origins }) => {
      const body = { name, agent_id: agent_id || null, domain_allowlist: originsOf(origins) };
      setCreated(await data(api.POST("/api/v1/widget-keys", { body })));
      await keysChanged();
    },
  });
  return (
    <SidePanel title={created()?.name ?? t.add} closeTo="/widget-keys">
      <Show
        when={created()?.key}
        fallback={
          <form onSubmit={(event) => void form.submit(event)}>
            <Fields>
              <Show when={form.failure()}>{(failure) => <Failure error={failure()} />}</Show>
              <WidgetKeyFields form={form} />
              <div>
                <Button kind="primary" type="submit" busy={form.busy()}>
                  {t.create}
                </Button>
              </div>
            </Fields>
          </form>
        }
      >
        {(key) => (
          <>
            <SecretOnce label={t.key} secret={key()} />
            <Section title={t.embed}>
              <p class="muted">{t.embedHint}</p>
              <CodeBlock label={t.embed} code={embedCode(key())} />
              <a href="/docs/widget" rel="external">
                {t.guide}
              </a>
            </Section>
          </>
        )}
      </Show>
    </SidePanel>
  );
}
