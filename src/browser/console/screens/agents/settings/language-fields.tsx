import { For } from "solid-js";
import { subtagOf } from "../../../../../agent/speech/language.ts";
import { BUILT_IN_LANGUAGES, builtInSentences } from "../../../../../agent/speech/sentences.ts";
import { agents } from "../../../texts/index.ts";
import { Fields, TextField } from "../../../ui/fields.tsx";
import type { Form } from "../../../ui/form.ts";
import { namesOf } from "../../../ui/names-of.ts";
import { TagsField } from "../../../ui/tags-field.tsx";
import type { EffectNotes } from "./effect-notes.tsx";
import type { Settings } from "./settings-form.ts";

const t = agents.languages;

export function LanguageFields(props: { form: Form<Settings>; effect: EffectNotes }) {
  const { form } = props;
  const phrases = namesOf(t.phrases);
  /** Returns the hint with the built-in phrase of the entered language. */
  const builtIn = (name: (typeof phrases)[number]) => {
    const { language } = form.values;
    const isEnglish = !BUILT_IN_LANGUAGES.includes(subtagOf(language));
    return (isEnglish ? t.inEnglish : t.builtIn)(builtInSentences(language)[name]);
  };
  return (
    <Fields legend={t.legend}>
      <TextField
        label={agents.fields.language}
        hint={props.effect.hint("language", t.languageHint)}
        {...form.field("language")}
        maxlength={35}
        required
        code
      />
      <TagsField
        label={agents.fields.languages}
        hint={props.effect.hint("languages", t.languagesHint)}
        {...form.field("languages")}
      />
      <TagsField
        label={agents.fields.keyTerms}
        hint={props.effect.hint("key_terms", t.keyTermsHint)}
        {...form.field("key_terms")}
      />
      <details>
        <summary>{agents.fields.phrases}</summary>
        <p class="muted">{props.effect.hint("phrases", t.phrasesHint)}</p>
        <For each={phrases}>
          {(name) => (
            <TextField
              label={t.phrases[name]}
              hint={form.values.phrases[name] === null ? builtIn(name) : undefined}
              error={form.error(`phrases.${name}`)}
              value={form.values.phrases[name] ?? ""}
              onInput={(text) =>
                form.set("phrases", Object.assign({}, form.values.phrases, { [name]: text === "" ? null : text }))
              }
              maxlength={300}
            />
          )}
        </For>
      </details>
    </Fields>
  );
}
