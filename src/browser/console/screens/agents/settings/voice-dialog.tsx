import { A } from "@solidjs/router";
import { createSignal, For, Show } from "solid-js";
import type { Body } from "../../../api/client.ts";
import { useQuery } from "../../../api/use-query.ts";
import { agents } from "../../../texts/index.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Loaded, Note } from "../../../ui/feedback.tsx";
import { SelectField } from "../../../ui/fields.tsx";
import { Pause, Play } from "../../../ui/icons.tsx";
import { Grid } from "../../../ui/layout.tsx";
import { SearchField } from "../../../ui/search-field.tsx";
import { voicesOf } from "../queries.ts";
import styles from "./settings.module.css";
import { createVoicePlayer } from "./voice-player.ts";

const t = agents.voices;
type Voice = Body<"Voice">;
type Provider = Voice["voice_provider"];

const MOST_SHOWN = 50;
const MOST_LANGUAGES = 6;
const ANY = "";

export function VoiceDialog(props: {
  provider: Provider;
  chosen: string;
  /** The agent's languages, the main one first. */
  languages: string[];
  onChoose: (voiceId: string) => void;
  onClose: () => void;
}) {
  const languages = [...new Set(props.languages.filter(Boolean))];
  const [language, setLanguage] = createSignal(languages[0] ?? ANY);
  const [search, setSearch] = createSignal("");
  const query = useQuery(() => voicesOf(props.provider, language() || undefined));
  const player = createVoicePlayer();
  const name = agents.voiceProviders[props.provider];
  const matching = (voices: Voice[]) => {
    const words = search().toLowerCase();
    return voices.filter((voice) => `${voice.name} ${voice.voice_id}`.toLowerCase().includes(words));
  };
  const about = (voice: Voice) =>
    [voice.gender && t.genders[voice.gender], t.languages(voice.languages, MOST_LANGUAGES)].filter(Boolean).join(" · ");
  const heardOn = ({ effective_on }: Voice) =>
    effective_on.length === 0 ? t.heardNowhere : t.heardOn(effective_on.map((one) => agents.effect.channels[one]));
  return (
    <Dialog
      title={t.title(name)}
      wide
      onClose={props.onClose}
      footer={
        <>
          <Show when={props.chosen !== ""}>
            <Button onClick={() => props.onChoose("")}>{t.useOwn}</Button>
          </Show>
          <Button onClick={() => props.onClose()}>{t.close}</Button>
        </>
      }
    >
      <Grid min={200} gap={12}>
        <SelectField
          label={t.language}
          value={language()}
          onInput={setLanguage}
          options={[...languages.map((tag) => ({ value: tag, label: tag })), { value: ANY, label: t.anyLanguage }]}
        />
        <SearchField value={search()} onInput={setSearch} />
      </Grid>
      <Loaded query={query}>
        {(found) => {
          const voices = () => matching(found().voices);
          const isCarriers = () => found().voices.every(({ voice_id }) => voice_id === "");
          return (
            <>
              <For each={found().unavailable}>{({ reason }) => <Note tone="warn">{t.unavailable(reason)}</Note>}</For>
              <Show when={isCarriers() && found().unavailable.length === 0}>
                <Note>
                  {t.notConnected(name)} <A href={`/integrations/${props.provider}`}>{t.connect(name)}</A>
                </Note>
              </Show>
              <Show when={voices().length > 0} fallback={<p class="muted">{t.none}</p>}>
                <section class={styles.voices} aria-label={t.title(name)} tabindex="0">
                  <ul>
                    <For each={voices().slice(0, MOST_SHOWN)}>
                      {(voice) => (
                        <li class={styles.voice}>
                          <Show when={voice.voice_id !== ""}>
                            <IconButton
                              icon={player.playing() === voice.voice_id ? Pause : Play}
                              label={(player.playing() === voice.voice_id ? t.stop : t.play)(voice.name)}
                              aria-busy={player.loading() === voice.voice_id}
                              needs="previewVoice"
                              onClick={() => void player.toggle(voice, language() || languages[0] || "en-US")}
                            />
                          </Show>
                          <div class={styles.voiceWords}>
                            <strong>{voice.name}</strong>
                            <span class="muted">{about(voice)}</span>
                            <span class="muted">{heardOn(voice)}</span>
                          </div>
                          <Show when={voice.voice_id !== ""}>
                            <Show
                              when={voice.voice_id !== props.chosen}
                              fallback={<span class="muted">{t.inUse}</span>}
                            >
                              <Button
                                small
                                aria-label={t.useThis(voice.name)}
                                onClick={() => props.onChoose(voice.voice_id)}
                              >
                                {t.use}
                              </Button>
                            </Show>
                          </Show>
                        </li>
                      )}
                    </For>
                  </ul>
                </section>
                <Show when={voices().length > MOST_SHOWN}>
                  <p class="muted">{t.more(MOST_SHOWN, voices().length)}</p>
                </Show>
              </Show>
            </>
          );
        }}
      </Loaded>
    </Dialog>
  );
}
