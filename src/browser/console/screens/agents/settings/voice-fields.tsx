import { createSignal, Show } from "solid-js";
import { agents as t } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { Fields, SelectField, TextField } from "../../../ui/fields.tsx";
import type { Form } from "../../../ui/form.ts";
import { optionsOf } from "../../../ui/options.ts";
import type { EffectNotes } from "./effect-notes.tsx";
import type { Settings } from "./settings-form.ts";
import { VoiceDialog } from "./voice-dialog.tsx";

export function VoiceFields(props: { form: Form<Settings>; effect: EffectNotes }) {
  const { form } = props;
  const [isChoosing, setChoosing] = createSignal(false);
  return (
    <Fields legend={t.settings.voice}>
      <SelectField
        label={t.fields.voiceProvider}
        hint={props.effect.hint("voice_provider", t.hints.voiceProvider)}
        {...form.field("voice_provider")}
        options={optionsOf(t.voiceProviders)}
      />
      <TextField
        label={t.fields.voice}
        hint={props.effect.hint("voice_id", t.hints.voice)}
        {...form.field("voice_id")}
        placeholder={t.settings.defaultVoice}
        maxlength={200}
        code
      />
      <div>
        <Button onClick={() => setChoosing(true)}>{t.voices.choose}</Button>
      </div>
      <SelectField
        label={t.fields.greetingMode}
        hint={t.greetingModeHints[form.values.greeting_mode]}
        {...form.field("greeting_mode")}
        options={optionsOf(t.greetingModes)}
      />
      <Show when={isChoosing()}>
        <VoiceDialog
          provider={form.values.voice_provider}
          chosen={form.values.voice_id}
          languages={[form.values.language, ...form.values.languages]}
          onChoose={(id) => {
            form.set("voice_id", id);
            setChoosing(false);
          }}
          onClose={() => setChoosing(false)}
        />
      </Show>
    </Fields>
  );
}
