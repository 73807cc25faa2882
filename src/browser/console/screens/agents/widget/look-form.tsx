import { createEffect } from "solid-js";
import { api, type Body, data } from "../../../api/client.ts";
import { queries } from "../../../api/queries.ts";
import { storedBy } from "../../../api/use-query.ts";
import { agents } from "../../../texts/index.ts";
import { Fields, SelectField, TextArea, TextField } from "../../../ui/fields.tsx";
import { createForm } from "../../../ui/form.ts";
import { FormProblem } from "../../../ui/form-problem.tsx";
import { Grid } from "../../../ui/layout.tsx";
import { optionsOf } from "../../../ui/options.ts";
import { SaveBar } from "../../../ui/save-bar.tsx";
import { ScopedForm } from "../../../ui/scoped-form.tsx";
import { notify } from "../../../ui/toast.tsx";
import { widgetLook } from "../queries.ts";
import { ColorField } from "./color-field.tsx";

export type Look = Body<"WidgetSettings">;
const t = agents.widget;

/** Form for the colors and texts of the account's widgets. It reports every change at once. */
export function LookForm(props: { look: Look; typed: (look: Look) => void }) {
  const form = createForm<Look>({
    initial: props.look,
    stored: storedBy(props.look, widgetLook(), (look) => look),
    save: async (body, _before, headers) => {
      const saved = await data(api.PATCH("/api/v1/widget-settings", { body, headers }));
      await queries.invalidateQueries({ queryKey: widgetLook().queryKey });
      notify(t.lookSaved);
      return saved;
    },
  });
  createEffect(() => props.typed(Object.assign({}, form.values)));
  return (
    <ScopedForm needs="updateWidgetSettings" onSubmit={form.submit}>
      <Fields legend={t.look}>
        <p class="muted">{t.lookLead}</p>
        <FormProblem form={form} />
        <Grid min={200}>
          <ColorField label={t.fields.primary} hint={t.hints.primary} {...form.field("primary_color")} />
          <ColorField label={t.fields.accent} hint={t.hints.accent} {...form.field("accent_color")} />
        </Grid>
        <Grid min={200}>
          <TextField label={t.fields.label} {...form.field("launcher_label")} maxlength={60} required />
          <SelectField
            label={t.fields.position}
            {...form.field("launcher_position")}
            options={optionsOf(t.positions)}
          />
        </Grid>
        <TextField
          label={t.fields.logo}
          hint={t.hints.logo}
          type="url"
          {...form.field("logo_url")}
          placeholder="https://"
        />
        <TextArea
          label={t.fields.notice}
          hint={t.hints.notice}
          {...form.field("privacy_notice")}
          maxlength={1_000}
          rows={2}
        />
        <SaveBar form={form} verb={t.saveLook} />
      </Fields>
    </ScopedForm>
  );
}
