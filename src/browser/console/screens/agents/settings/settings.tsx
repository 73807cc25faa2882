import { A } from "@solidjs/router";
import { Show } from "solid-js";
import { api, type Body, data } from "../../../api/client.ts";
import { storedBy } from "../../../api/queries.ts";
import { common, agents as t } from "../../../texts/index.ts";
import { CheckField, Fields, SelectField, TextArea, TextField } from "../../../ui/fields.tsx";
import { createForm } from "../../../ui/form.ts";
import { FormProblem } from "../../../ui/form-problem.tsx";
import { chosen, optionsOf } from "../../../ui/options.ts";
import { SaveBar } from "../../../ui/save-bar.tsx";
import { tell } from "../../../ui/toast.tsx";
import { useAgent } from "../agent-context.ts";
import { agentById, agentChanged } from "../queries.ts";
import { DeleteAgent } from "./delete-agent.tsx";
import styles from "./settings.module.css";
import { VolumeField } from "./volume-field.tsx";

type Settings = Omit<
  Body<"Agent">,
  "id" | "system_prompt" | "greeting_message" | "active_prompt_id" | "auth_mode" | Unchangeable
>;
type Unchangeable = "faqs" | "playbooks" | "tools" | "created_by" | "created_at" | "updated_at" | "template_id";

/** Everything an agent is set to, but for what it says. */
export default function AgentSettings() {
  const agent = useAgent();
  const form = createForm<Settings>({
    initial: settingsOf(agent()),
    stored: storedBy(agent(), agentById(agent().id), settingsOf),
    save: async (values, before, headers) => {
      const params = { path: { id: agent().id } };
      const body = changes(before, values);
      const changed = await data(api.PATCH("/api/v1/agents/{id}", { params, body, headers }));
      await agentChanged(changed);
      tell(common.saved);
      return changed;
    },
  });
  return (
    <div class={styles.settings}>
      <form onSubmit={form.submit} class={styles.settings}>
        <FormProblem form={form} />
        <Fields legend={t.settings.about}>
          <TextField
            label={t.fields.name}
            hint={t.hints.name}
            value={form.values.name}
            onInput={(value) => form.set("name", value)}
            error={form.error("name")}
            maxlength={200}
            required
          />
          <TextArea
            label={t.fields.description}
            hint={t.hints.description}
            value={form.values.description}
            onInput={(value) => form.set("description", value)}
            error={form.error("description")}
            rows={2}
          />
          <SelectField
            label={t.fields.status}
            hint={t.statusHints[form.values.status]}
            value={form.values.status}
            options={optionsOf(t.statuses)}
            onChange={(value) => form.set("status", (before) => chosen(t.statuses, value) ?? before)}
            error={form.error("status")}
          />
          <SelectField
            label={t.fields.category}
            hint={t.hints.category}
            value={form.values.category}
            options={optionsOf(t.categories)}
            onChange={(value) => form.set("category", (before) => chosen(t.categories, value) ?? before)}
            error={form.error("category")}
          />
          <Show when={agent().template_id}>
            <p class="muted">
              {t.settings.template} <A href="/marketplace">{t.settings.marketplace}</A>
            </p>
          </Show>
        </Fields>
        <Fields legend={t.settings.model}>
          <SelectField
            label={t.fields.model}
            hint={
              <>
                {t.hints.model} <A href="/integrations">{t.settings.integrations}</A>
              </>
            }
            value={form.values.llm_model}
            options={optionsOf(t.models)}
            onChange={(value) => form.set("llm_model", (before) => chosen(t.models, value) ?? before)}
            error={form.error("llm_model")}
          />
        </Fields>
        <Fields legend={t.settings.voice}>
          <SelectField
            label={t.fields.voiceProvider}
            hint={t.hints.voiceProvider}
            value={form.values.voice_provider}
            options={optionsOf(t.voiceProviders)}
            onChange={(value) => form.set("voice_provider", (before) => chosen(t.voiceProviders, value) ?? before)}
            error={form.error("voice_provider")}
          />
          <TextField
            label={t.fields.voice}
            hint={t.hints.voice}
            value={form.values.voice_id}
            onInput={(value) => form.set("voice_id", value)}
            error={form.error("voice_id")}
            placeholder={t.settings.defaultVoice}
            maxlength={200}
            code
          />
          <SelectField
            label={t.fields.greetingMode}
            hint={t.greetingModeHints[form.values.greeting_mode]}
            value={form.values.greeting_mode}
            options={optionsOf(t.greetingModes)}
            onChange={(value) => form.set("greeting_mode", (before) => chosen(t.greetingModes, value) ?? before)}
            error={form.error("greeting_mode")}
          />
        </Fields>
        <Fields legend={t.settings.sound}>
          <p class="muted">{t.settings.soundLead}</p>
          <CheckField
            label={t.fields.ringing}
            hint={t.hints.ringing}
            value={form.values.ringing_enabled}
            onChange={(value) => form.set("ringing_enabled", value)}
            error={form.error("ringing_enabled")}
          />
          <CheckField
            label={t.fields.noiseSuppression}
            hint={t.hints.noiseSuppression}
            value={form.values.noise_suppression_enabled}
            onChange={(value) => form.set("noise_suppression_enabled", value)}
            error={form.error("noise_suppression_enabled")}
          />
          <CheckField
            label={t.fields.backgroundAudio}
            hint={t.hints.backgroundAudio}
            value={form.values.background_audio_enabled}
            onChange={(value) => form.set("background_audio_enabled", value)}
            error={form.error("background_audio_enabled")}
          />
          <Show when={form.values.background_audio_enabled}>
            <VolumeField
              value={form.values.background_audio_volume}
              onInput={(value) => form.set("background_audio_volume", value)}
              error={form.error("background_audio_volume")}
            />
          </Show>
        </Fields>
        <Fields legend={t.settings.visitors}>
          <p class="muted">
            {t.settings.visitorsLead} <A href={`/agents/${agent().id}/widget`}>{t.tabs.widget}</A>
          </p>
        </Fields>
        <SaveBar form={form} />
      </form>
      <DeleteAgent onDeleted={() => form.reset()} />
    </div>
  );
}

function settingsOf(agent: Body<"Agent">): Settings {
  const { name, description, category, status, llm_model, voice_provider, voice_id, greeting_mode } = agent;
  const { background_audio_enabled, background_audio_volume } = agent;
  const { noise_suppression_enabled, ringing_enabled } = agent;
  const words = { name, description, category, status, llm_model, voice_provider, voice_id, greeting_mode };
  const sound = { background_audio_enabled, background_audio_volume, noise_suppression_enabled, ringing_enabled };
  return Object.assign(words, sound);
}

/** What to send: fields that somebody else changed meanwhile stay as they are. */
function changes(before: Settings, after: Settings): Partial<Settings> {
  const names = Object.keys(after) as (keyof Settings)[];
  return Object.fromEntries(names.filter((name) => after[name] !== before[name]).map((name) => [name, after[name]]));
}
