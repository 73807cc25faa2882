import { createSignal, Show } from "solid-js";
import { api, data } from "../../api/client.ts";
import { widgetPolicy } from "../../api/lists.ts";
import { queries } from "../../api/queries.ts";
import { useQuery } from "../../api/use-query.ts";
import { widgetKeys as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { embedCode } from "../../ui/embed-code.tsx";
import { Failure } from "../../ui/feedback.tsx";
import { Fields } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { Section, SidePanel } from "../../ui/page.tsx";
import { tell } from "../../ui/toast.tsx";
import { type Who, WhoField } from "../../ui/who-field.tsx";
import { type CreatedWidgetKey, keysChanged } from "./queries.ts";
import { originsOf, WidgetKeyFields, type WidgetKeyValues } from "./widget-key-fields.tsx";

/** Creates a key and shows the line for the page; asks who may chat with the agent it leads to. */
export default function NewWidgetKey() {
  const [created, setCreated] = createSignal<CreatedWidgetKey>();
  /** What was answered, and for which agent. */
  const [answer, setAnswer] = createSignal<{ agent: string; who: Who }>();
  const form = createForm<WidgetKeyValues>({
    initial: { name: "", agent_id: "", origins: "" },
    save: async ({ name, agent_id, origins }) => {
      const body = { name, agent_id: agent_id || null, domain_allowlist: originsOf(origins) };
      setCreated(await data(api.POST("/api/v1/widget-keys", { body })));
      await Promise.all([saveWho(), keysChanged()]);
    },
  });
  const policy = useQuery(() =>
    Object.assign(widgetPolicy(form.values.agent_id), { enabled: form.values.agent_id !== "" }),
  );
  const who = (): Who | undefined => {
    const given = answer();
    return given?.agent === form.values.agent_id ? given.who : policy.data?.who;
  };
  const isChanged = (): boolean => who() !== policy.data?.who;
  /** The key is there by then: what fails here is told beside it. */
  const saveWho = async (): Promise<void> => {
    const [id, chosen] = [form.values.agent_id, who()];
    if (!chosen || !isChanged()) return;
    try {
      const params = { path: { id } };
      await data(api.PATCH("/api/v1/agents/{id}/widget-settings", { params, body: { who: chosen } }));
      await queries.invalidateQueries({ queryKey: ["agents"] });
    } catch {
      tell(t.whoNotSaved, "bad");
    }
  };
  return (
    <SidePanel title={created()?.name ?? t.add} closeTo="/widget-keys">
      <Show
        when={created()?.key}
        fallback={
          <form onSubmit={(event) => void form.submit(event)}>
            <Fields>
              <Show when={form.failure()}>{(failure) => <Failure error={failure()} />}</Show>
              <WidgetKeyFields form={form} />
              <Show when={form.values.agent_id === "" ? undefined : who()}>
                {(value) => (
                  <WhoField value={value()} onChange={(who) => setAnswer({ agent: form.values.agent_id, who })} />
                )}
              </Show>
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
          <Section title={t.embed}>
            <p class="muted">{t.embedHint}</p>
            <CodeBlock label={t.embed} code={embedCode(key())} />
            <a href="/docs/widget" rel="external">
              {t.guide}
            </a>
          </Section>
        )}
      </Show>
    </SidePanel>
  );
}
