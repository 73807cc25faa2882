import { createSignal, Show } from "solid-js";
import { widgetPolicy } from "../../../api/lists.ts";
import { useQuery } from "../../../api/use-query.ts";
import { agents } from "../../../texts/index.ts";
import { Loaded } from "../../../ui/feedback.tsx";
import { SelectField } from "../../../ui/fields.tsx";
import { Grid, Stack } from "../../../ui/layout.tsx";
import { NoModel } from "../../../ui/no-model.tsx";
import { chosen, optionsOf } from "../../../ui/options.ts";
import { isDark } from "../../../ui/theme.ts";
import type { Who } from "../../../ui/who-field.tsx";
import { useAgent } from "../agent-context.ts";
import { widgetLook } from "../queries.ts";
import { KeysOfAgent } from "./keys-of-agent.tsx";
import { type Look, LookForm } from "./look-form.tsx";
import { PolicyForm } from "./policy-form.tsx";
import { Preview } from "./preview.tsx";
import styles from "./widget.module.css";

const t = agents.widget;

/** The widget's appearance and policy, next to a preview that follows every change. */
export default function Widget() {
  const agent = useAgent();
  const look = useQuery(widgetLook);
  const policy = useQuery(() => widgetPolicy(agent().id));
  const [typed, setTyped] = createSignal<Look>();
  const [who, setWho] = createSignal<Who>();
  const [part, setPart] = createSignal<keyof typeof t.parts>("panel");
  const [page, setPage] = createSignal<keyof typeof t.pages>(isDark() ? "dark" : "light");
  return (
    <div class={styles.widget}>
      <Stack gap={32}>
        <NoModel llmModel={agent().llm_model} />
        <Loaded query={policy}>{(found) => <PolicyForm policy={found()} chosen={setWho} />}</Loaded>
        <KeysOfAgent />
        <Loaded query={look}>{(found) => <LookForm look={found()} typed={setTyped} />}</Loaded>
      </Stack>
      <div class={styles.beside}>
        <h2>{t.preview}</h2>
        <Grid columns="repeat(2, minmax(0, 1fr))" gap={12}>
          <SelectField
            label={t.shows}
            value={part()}
            options={optionsOf(t.parts)}
            onInput={(value) => setPart((before) => chosen(t.parts, value) ?? before)}
          />
          <SelectField
            label={t.visitorHas}
            value={page()}
            options={optionsOf(t.pages)}
            onInput={(value) => setPage((before) => chosen(t.pages, value) ?? before)}
          />
        </Grid>
        <Show when={typed()}>
          {(shown) => (
            <Preview
              look={shown()}
              agent={agent()}
              refusesGuests={who() === "signed_in"}
              isOpen={part() === "panel"}
              isDark={page() === "dark"}
            />
          )}
        </Show>
      </div>
    </div>
  );
}
