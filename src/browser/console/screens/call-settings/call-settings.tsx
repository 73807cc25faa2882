import { A } from "@solidjs/router";
import { api, type Body, data } from "../../api/client.ts";
import { numberList } from "../../api/lists.ts";
import { query, showAnswer } from "../../api/queries.ts";
import { storedBy, useQuery } from "../../api/use-query.ts";
import { disclosure, callSettings as t } from "../../texts/index.ts";
import { DisclosureTexts } from "../../ui/disclosure-texts.tsx";
import { Loaded } from "../../ui/feedback.tsx";
import { CheckField, Fields, NumberField, SelectField, TextArea } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { optionsOf } from "../../ui/options.ts";
import { Card, Page } from "../../ui/page.tsx";
import { SaveBar } from "../../ui/save-bar.tsx";
import { ScopedForm } from "../../ui/scoped-form.tsx";
import { notify } from "../../ui/toast.tsx";
import styles from "./call-settings.module.css";
import { Destinations } from "./destinations.tsx";

const KEY = ["call-settings"];

const stored = () => query(KEY, (signal) => data(api.GET("/api/v1/call-settings", { signal })));

export default function CallSettings() {
  const settings = useQuery(stored);
  return (
    <Page
      title={t.title}
      lead={
        <>
          {t.lead} <A href="/privacy">{t.keeping}</A>
        </>
      }
    >
      <Loaded query={settings}>{(found) => <SettingsForm settings={found()} />}</Loaded>
    </Page>
  );
}

function SettingsForm(props: { settings: Body<"CallSettings"> }) {
  const form = createForm({
    initial: entered(props.settings),
    stored: storedBy(props.settings, stored(), entered),
    save: async (values, _before, headers) => {
      const body = { ...values, recording_announcement: values.recording_announcement.trim() || null };
      const saved = await data(api.PATCH("/api/v1/call-settings", { body, headers }));
      showAnswer(KEY, saved);
      notify(t.saved);
      return saved;
    },
  });
  const numbers = useQuery(numberList);
  return (
    <ScopedForm needs="updateCallSettings" class={styles.form} onSubmit={form.submit}>
      <FormProblem form={form} />
      <Card>
        <Fields legend={t.recording}>
          <CheckField label={t.recordOutbound} hint={t.recordOutboundHint} {...form.field("record_outbound")} />
          <CheckField label={t.recordInbound} hint={t.recordInboundHint} {...form.field("record_inbound")} />
          <TextArea
            label={t.announcement}
            hint={t.announcementHint}
            placeholder={t.announcementPlaceholder}
            rows={2}
            maxlength={500}
            {...form.field("recording_announcement")}
          />
        </Fields>
      </Card>
      <Card>
        <Fields legend={disclosure.title}>
          <SelectField
            label={disclosure.mode}
            hint={disclosure.modeHint}
            value={form.values.disclosure.mode}
            onInput={(mode) => form.set("disclosure", { mode, texts: form.values.disclosure.texts })}
            options={optionsOf(disclosure.modes)}
            error={form.error("disclosure")}
          />
          <DisclosureTexts
            value={form.values.disclosure.texts}
            onInput={(texts) => form.set("disclosure", { mode: form.values.disclosure.mode, texts })}
            error={form.error("disclosure.texts")}
          />
        </Fields>
      </Card>
      <Card>
        <Fields legend={t.dialling}>
          <NumberField
            label={t.ring}
            hint={t.ringHint}
            value={form.values.ring_timeout_s}
            onInput={(value) => value !== undefined && form.set("ring_timeout_s", value)}
            error={form.error("ring_timeout_s")}
            required
          />
          <NumberField
            label={t.reserve}
            hint={t.reserveHint}
            value={form.values.inbound_reserve ?? undefined}
            onInput={(value) => form.set("inbound_reserve", value ?? null)}
            error={form.error("inbound_reserve")}
          />
          <SelectField
            label={t.voicemail}
            hint={`${t.voicemailHint} ${t.voicemailCost}`}
            {...form.field("voicemail")}
            options={optionsOf(t.voicemails)}
          />
        </Fields>
      </Card>
      <Card>
        <Fields legend={t.where}>
          <Destinations
            {...form.field("allowed_destinations")}
            numbers={numbers.isError ? [] : numbers.data?.numbers.map(({ e164 }) => e164)}
          />
        </Fields>
      </Card>
      <Card>
        <Fields legend={t.callers}>
          <NumberField
            label={t.callerConcurrent}
            hint={t.callerConcurrentHint}
            value={form.values.caller_concurrent_calls ?? undefined}
            onInput={(value) => form.set("caller_concurrent_calls", value ?? null)}
            error={form.error("caller_concurrent_calls")}
          />
          <NumberField
            label={t.callerDay}
            hint={t.callerDayHint}
            value={form.values.caller_calls_per_day ?? undefined}
            onInput={(value) => form.set("caller_calls_per_day", value ?? null)}
            error={form.error("caller_calls_per_day")}
          />
        </Fields>
      </Card>
      <SaveBar form={form} />
    </ScopedForm>
  );
}

/** Returns the form's values: null becomes an empty text. The retention is left out, because Privacy sets it. */
function entered({ retention_days: _, ...settings }: Body<"CallSettings">) {
  return { ...settings, recording_announcement: settings.recording_announcement ?? "" };
}
