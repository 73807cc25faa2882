import { A } from "@solidjs/router";
import { createSignal, Show } from "solid-js";
import { api, type Body, data, ifMatch } from "../../../api/client.ts";
import { holds, may } from "../../../api/may.ts";
import { storedBy } from "../../../api/use-query.ts";
import { agentVersions, common, agents as t } from "../../../texts/index.ts";
import { changesOf } from "../../../ui/changes.ts";
import { confirm } from "../../../ui/confirm.tsx";
import { CheckField, Fields, NumberField, SelectField, TextArea, TextField } from "../../../ui/fields.tsx";
import { createForm } from "../../../ui/form.ts";
import { FormProblem } from "../../../ui/form-problem.tsx";
import { Stack } from "../../../ui/layout.tsx";
import { ModelField } from "../../../ui/model-field.tsx";
import { optionsOf } from "../../../ui/options.ts";
import { ReadOnlyUnless } from "../../../ui/read-only.tsx";
import { SaveBar } from "../../../ui/save-bar.tsx";
import { ScopedForm } from "../../../ui/scoped-form.tsx";
import { TimeZoneField } from "../../../ui/time-zone-field.tsx";
import { notify } from "../../../ui/toast.tsx";
import { useAgent } from "../agent-context.ts";
import { agentById, agentChanged } from "../queries.ts";
import { DeleteAgent } from "./delete-agent.tsx";
import { DisclosureFields } from "./disclosure-fields.tsx";
import { EffectChannel, useEffectNotes } from "./effect-notes.tsx";
import { LanguageFields } from "./language-fields.tsx";
import styles from "./settings.module.css";
import type { Settings } from "./settings-form.ts";
import { StorageFields } from "./storage-fields.tsx";
import { TransferTargets } from "./transfer-targets.tsx";
import { TurnOnDrafts } from "./turn-on-drafts.tsx";
import { VoiceFields } from "./voice-fields.tsx";
import { VolumeField } from "./volume-field.tsx";

const { versioning } = agentVersions;

export default function AgentSettings() {
  const agent = useAgent();
  const effect = useEffectNotes();
  const [isPublishedFirst, setPublishedFirst] = createSignal(false);
  /** The submitted form while the user is asked how to turn on drafts. */
  const [asking, setAsking] = createSignal<HTMLFormElement>();
  const form = createForm<Settings>({
    initial: settingsOf(agent()),
    stored: storedBy(agent(), agentById(agent().id), settingsOf),
    save: async (values, before, headers) => {
      const params = { path: { id: agent().id } };
      const body = changesOf(before, values);
      let match = headers;
      if (isPublishedFirst()) {
        // Publishes the stored agent, without the changes in this form.
        match = ifMatch(await data(api.POST("/api/v1/agents/{id}/publish", { params, body: {}, headers })));
        setPublishedFirst(false);
      }
      const changed = await data(api.PATCH("/api/v1/agents/{id}", { params, body, headers: match }));
      await agentChanged(changed);
      notify(common.saved);
      return changed;
    },
  });
  /** Saves the form. It asks first if that takes the agent out of service or puts the draft live. */
  const submit = async (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const within = event.currentTarget;
    if (turnsToDrafts(agent(), form.values.versioning)) return void setAsking(within);
    const question = questionOf(agent(), form.values.versioning);
    if (question === undefined || (await confirm(question))) await form.submit(undefined, within);
  };
  return (
    <Stack gap={32} max={640}>
      <ScopedForm needs="updateAgent" onSubmit={submit} class={styles.settings}>
        <FormProblem form={form} />
        <Fields legend={t.settings.about}>
          <TextField label={t.fields.name} hint={t.hints.name} {...form.field("name")} maxlength={200} required />
          <TextArea label={t.fields.description} hint={t.hints.description} {...form.field("description")} rows={2} />
          <SelectField
            label={t.fields.status}
            hint={t.statusHints[form.values.status]}
            {...form.field("status")}
            options={optionsOf(t.statuses)}
          />
          <SelectField
            label={t.fields.category}
            hint={t.hints.category}
            {...form.field("category")}
            options={optionsOf(t.categories)}
          />
          <Show when={agent().template_id}>
            <p class="muted">
              {t.settings.template} <A href="/marketplace">{t.settings.marketplace}</A>
            </p>
          </Show>
        </Fields>
        <Fields legend={versioning.legend}>
          <SelectField
            label={versioning.label}
            hint={versioning.hints[form.values.versioning]}
            {...form.field("versioning")}
            options={optionsOf(versioning.choices)}
          />
        </Fields>
        <EffectChannel effect={effect} />
        <Fields legend={t.settings.model}>
          <ModelField
            label={t.fields.model}
            hint={
              <>
                {t.hints.model} <A href="/integrations">{t.settings.integrations}</A>
              </>
            }
            {...form.field("llm_model")}
            onInput={(value) => value !== null && form.set("llm_model", value)}
          />
          <ModelField
            label={t.fields.fallbackModel}
            hint={effect.hint("fallback_model", t.hints.fallbackModel)}
            none={t.settings.noFallback}
            {...form.field("fallback_model")}
          />
          <NumberField
            label={t.fields.maxOutput}
            hint={t.hints.maxOutput}
            {...form.field("max_output_tokens")}
            onInput={(value) => form.set("max_output_tokens", value ?? 0)}
            min={64}
            max={8192}
            step={1}
            required
          />
          <NumberField
            label={t.fields.filler}
            hint={effect.hint("filler_after_ms", t.hints.filler)}
            {...form.field("filler_after_ms")}
            onInput={(value) => form.set("filler_after_ms", value ?? 0)}
            min={0}
            max={10_000}
            step={1}
            required
          />
          <TimeZoneField
            label={t.fields.timezone}
            hint={t.hints.timezone}
            none={t.settings.accountZone}
            {...form.field("timezone")}
          />
        </Fields>
        <LanguageFields form={form} effect={effect} />
        <VoiceFields form={form} effect={effect} />
        <StorageFields form={form} stored={agent()} />
        <DisclosureFields form={form} stored={agent()} />
        <ReadOnlyUnless may={holds("dial")}>
          <TransferTargets
            lead={effect.hint("transfer_targets", t.transfer.lead)}
            {...form.field("transfer_targets")}
            error={form.error}
          />
        </ReadOnlyUnless>
        <Fields legend={t.settings.sound}>
          <p class="muted">{t.settings.soundLead}</p>
          <CheckField
            label={t.fields.ringing}
            hint={effect.hint("ringing_enabled", t.hints.ringing)}
            {...form.field("ringing_enabled")}
          />
          <CheckField
            label={t.fields.noiseSuppression}
            hint={effect.hint("noise_suppression_enabled", t.hints.noiseSuppression)}
            {...form.field("noise_suppression_enabled")}
          />
          <CheckField
            label={t.fields.backgroundAudio}
            hint={effect.hint("background_audio_enabled", t.hints.backgroundAudio)}
            {...form.field("background_audio_enabled")}
          />
          <Show when={form.values.background_audio_enabled}>
            <VolumeField
              hint={effect.hint("background_audio_volume", t.hints.volume)}
              {...form.field("background_audio_volume")}
            />
          </Show>
        </Fields>
        <Fields legend={t.settings.visitors}>
          <p class="muted">
            {t.settings.visitorsLead} <A href={`/agents/${agent().id}/widget`}>{t.tabs.widget}</A>
          </p>
        </Fields>
        <SaveBar form={form} />
      </ScopedForm>
      <Show when={asking()}>
        {(within) => (
          <TurnOnDrafts
            onClose={() => setAsking(undefined)}
            onSwitch={(isFirst) => {
              const shown = within();
              setAsking(undefined);
              setPublishedFirst(isFirst);
              void form.submit(undefined, shown).then(() => setPublishedFirst(false));
            }}
          />
        )}
      </Show>
      <Show when={may("deleteAgent")}>
        <DeleteAgent onDeleted={() => form.reset()} />
      </Show>
    </Stack>
  );
}

function settingsOf(agent: Body<"Agent">): Settings {
  const { name, description, category, status, llm_model, fallback_model } = agent;
  const { voice_provider, voice_id, greeting_mode } = agent;
  const { background_audio_enabled, background_audio_volume } = agent;
  const { noise_suppression_enabled, ringing_enabled } = agent;
  const words = { name, description, category, status, llm_model, fallback_model };
  const voice = { voice_provider, voice_id, greeting_mode };
  const { transfer_targets, max_output_tokens, filler_after_ms, timezone, storage, redact, disclosure, versioning } =
    agent;
  const { language, languages, key_terms, phrases } = agent;
  const sound = { background_audio_enabled, background_audio_volume, noise_suppression_enabled, ringing_enabled };
  return Object.assign(words, voice, sound, {
    transfer_targets,
    max_output_tokens,
    filler_after_ms,
    timezone,
    language,
    languages,
    key_terms,
    phrases,
    storage,
    redact,
    disclosure,
    versioning,
  });
}

/** Returns the question to ask before the agent is saved with this versioning; undefined if there is none. */
function questionOf(before: Body<"Agent">, after: Settings["versioning"]) {
  if (before.versioning === after || after === "manual") return undefined;
  return { title: versioning.toAutoTitle, body: versioning.toAutoBody, verb: versioning.toAutoVerb };
}

/** Checks whether saving would turn on drafts for an agent that was never published. */
function turnsToDrafts({ versioning, published_version }: Body<"Agent">, after: Settings["versioning"]): boolean {
  return versioning === "auto" && after === "manual" && published_version === null;
}
