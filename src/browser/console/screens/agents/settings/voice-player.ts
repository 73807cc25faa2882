import { createSignal, onCleanup } from "solid-js";
import { subtagOf } from "../../../../../agent/speech/language.ts";
import { type Body, transport } from "../../../api/client.ts";
import { notifyFailure } from "../../../ui/toast.tsx";

type Voice = Body<"Voice">;

/**
 * Plays previews of voices, one at a time. Played previews are kept while the component exists, because each is billed
 * to the account.
 */
export function createVoicePlayer() {
  const audio = new Audio();
  const heard = new Map<string, string>();
  const [playing, setPlaying] = createSignal<string>();
  const [loading, setLoading] = createSignal<string>();
  let isGone = false;
  for (const stopped of ["pause", "ended", "error"]) audio.addEventListener(stopped, () => setPlaying(undefined));
  onCleanup(() => {
    isGone = true;
    audio.pause();
    for (const url of heard.values()) URL.revokeObjectURL(url);
  });

  async function play({ voice_provider, voice_id, languages }: Voice, wanted: string): Promise<void> {
    const isSpoken = languages.length === 0 || languages.some((tag) => subtagOf(tag) === subtagOf(wanted));
    const language = isSpoken ? wanted : (languages[0] ?? wanted);
    const name = `${voice_provider} ${language} ${voice_id}`;
    setLoading(voice_id);
    try {
      let url = heard.get(name);
      if (url === undefined) {
        const body = { voice_provider, voice_id, language };
        const response = await transport.fetch("POST", "/api/v1/voices/preview", { body, accept: "audio/mpeg" });
        const blob = await response.blob();
        if (isGone) return;
        url = URL.createObjectURL(blob);
        heard.set(name, url);
      }
      audio.src = url;
      await audio.play();
      setPlaying(voice_id);
    } catch (error) {
      // Pausing right after playing aborts the play and isn't a failure.
      if (!(error instanceof DOMException && error.name === "AbortError")) notifyFailure(error);
    } finally {
      setLoading(undefined);
    }
  }

  return {
    /** The ID of the voice that is playing, and of the one whose preview is loading. */
    playing,
    loading,
    async toggle(voice: Voice, language: string): Promise<void> {
      if (playing() === voice.voice_id) audio.pause();
      else if (loading() === undefined) await play(voice, language);
    },
  };
}
