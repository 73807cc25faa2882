import { z } from "zod";
import { type ReadText, readText } from "../../kernel/egress/read-text.ts";
import { SECOND_MS } from "../../kernel/time.ts";
import { languageNamed, subtagOf } from "../speech/language.ts";
import {
  askVendor,
  baseOf,
  ELEVENLABS_LANGUAGES,
  isVoiceId,
  VENDORS,
  type VoiceNetwork,
  type VoiceProvider,
  type VoiceSettings,
  VoiceUnavailable,
} from "./vendors.ts";

/** A voice in its vendor's list. */
export const voice = z.object({
  voice_id: z.string(),
  name: z.string(),
  /** BCP 47 tags; empty if the vendor does not tell. */
  languages: z.array(z.string()),
  gender: z.enum(["female", "male", "neutral"]).nullable(),
  /** A sample that any browser can play; null if there is none. */
  preview_url: z.string().nullable(),
});
export type Voice = z.output<typeof voice>;

/** A part of a list, and the query of the next part; null if it is the last. */
interface Page {
  voices: (Voice | null)[];
  next: string | null;
}

/** A vendor's list of voices: the query of its first page, and how to read a page. */
interface List {
  path: string;
  first: string;
  read: (page: unknown) => Page;
}

/** The number of voices per page, the maximum of Cartesia and ElevenLabs. */
const PAGE = 100;
const MOST_PAGES = 10;
const MOST_PAGE_BYTES = 4 * 1024 * 1024;
const PAGE_MS = 10 * SECOND_MS;
const MOST_NAME_CHARS = 200;
const MOST_LANGUAGES = 50;

const entries = z.array(z.unknown());
const text = z.string().nullish();

const ofCartesia = z.object({ id: z.string(), name: z.string(), language: text, gender: text });
const ofElevenLabs = z.object({
  voice_id: z.string(),
  name: text,
  labels: z.record(z.string(), text).nullish(),
  preview_url: text,
  verified_languages: z.array(z.object({ language: z.string(), locale: text })).nullish(),
});
const ofDeepgram = z.object({
  canonical_name: z.string(),
  name: text,
  languages: z.array(z.string()).nullish(),
  metadata: z.object({ sample: text, tags: z.array(z.string()).nullish() }).nullish(),
});

const LISTS: Record<VoiceProvider, List> = {
  cartesia: {
    path: "/voices",
    first: `limit=${PAGE}`,
    read(page) {
      const { data, has_more } = z.object({ data: entries, has_more: z.boolean().nullish() }).parse(page);
      const last = ofCartesia.safeParse(data.at(-1)).data?.id;
      const isLast = last === undefined || !(has_more ?? data.length >= PAGE);
      return {
        // Cartesia's samples require the key, so browsers cannot play them.
        voices: each(ofCartesia, data, ({ id, name, language, gender }) =>
          voiceOf({ id, name, languages: [language], gender, sample: null }),
        ),
        next: isLast ? null : `limit=${PAGE}&starting_after=${encodeURIComponent(last)}`,
      };
    },
  },
  elevenlabs: {
    path: "/v2/voices",
    first: `page_size=${PAGE}`,
    read(page) {
      const shape = z.object({ voices: entries, has_more: z.boolean(), next_page_token: text });
      const { voices, has_more, next_page_token } = shape.parse(page);
      return {
        voices: each(ofElevenLabs, voices, ({ voice_id, name, labels, preview_url, verified_languages }) => {
          const verified = (verified_languages ?? []).map(({ language, locale }) => locale ?? language);
          // Any voice speaks all languages of the model. The verified ones are known to sound natural.
          const languages = verified.length > 0 ? verified : ELEVENLABS_LANGUAGES;
          return voiceOf({ id: voice_id, name, languages, gender: labels?.gender, sample: preview_url });
        }),
        next:
          has_more && next_page_token
            ? `page_size=${PAGE}&next_page_token=${encodeURIComponent(next_page_token)}`
            : null,
      };
    },
  },
  deepgram: {
    path: "/v1/models",
    first: "",
    read(page) {
      const { tts } = z.object({ tts: entries.nullish() }).parse(page);
      return {
        voices: each(ofDeepgram, tts ?? [], ({ canonical_name, name, languages, metadata }) => {
          const gender = metadata?.tags?.find((tag) => GENDERS.has(tag));
          return voiceOf({ id: canonical_name, name, languages: languages ?? [], gender, sample: metadata?.sample });
        }),
        next: null,
      };
    },
  },
};

const GENDERS = new Map<string, NonNullable<Voice["gender"]>>([
  ["feminine", "female"],
  ["female", "female"],
  ["masculine", "male"],
  ["male", "male"],
  ["gender_neutral", "neutral"],
  ["neutral", "neutral"],
]);

/** Reads entries one by one, so that one invalid entry does not hide the others. */
function each<S extends z.ZodType>(schema: S, entries: unknown[], voiceOf: (entry: z.output<S>) => Voice | null) {
  return entries.map((entry) => {
    const { data } = schema.safeParse(entry);
    return data === undefined ? null : voiceOf(data);
  });
}

interface Listed {
  id: string;
  name: string | null | undefined;
  languages: readonly (string | null | undefined)[];
  gender: string | null | undefined;
  sample: string | null | undefined;
}

/** Converts a vendor's voice. Returns null if agents cannot use its id. */
function voiceOf({ id, name, languages, gender, sample }: Listed): Voice | null {
  if (id.trim() === "" || id.length > 200 || !isVoiceId(id)) return null;
  const tags = languages.flatMap((tag) => (tag ? (languageNamed(tag) ?? []) : []));
  return {
    voice_id: id,
    name: (name || id).replace(/\p{C}+/gu, " ").slice(0, MOST_NAME_CHARS),
    languages: [...new Set(tags)].slice(0, MOST_LANGUAGES),
    gender: GENDERS.get(gender ?? "") ?? null,
    preview_url: sample && URL.canParse(sample) && new URL(sample).protocol === "https:" ? sample : null,
  };
}

/**
 * Requests a vendor's voices, up to ten pages of a hundred.
 * @throws VoiceUnavailable if a page fails, is too large or is not a list
 */
export async function listVoices(
  env: VoiceSettings,
  provider: VoiceProvider,
  key: string,
  network: VoiceNetwork,
): Promise<Voice[]> {
  const { path, first, read } = LISTS[provider];
  const headers = Object.assign(VENDORS[provider].headers(key), { accept: "application/json" });
  const found = new Map<string, Voice>();
  let query: string | null = first;
  for (let pages = 0; query !== null && pages < MOST_PAGES; pages++) {
    const url: string = `${baseOf(env, provider)}${path}${query === "" ? "" : `?${query}`}`;
    const bounds = { total_ms: PAGE_MS, max_bytes: MOST_PAGE_BYTES };
    const response = await askVendor(env, provider, { method: "GET", url, headers, body: null }, network, bounds);
    const page = pageOf(read, await readText(response));
    if (page === null) throw new VoiceUnavailable("outage", `${VENDORS[provider].name} did not send a list of voices`);
    for (const one of page.voices) if (one) found.set(one.voice_id, one);
    query = page.next;
  }
  return [...found.values()];
}

/** Parses a page; null if it is incomplete or invalid. */
function pageOf(read: List["read"], { text, failure }: ReadText): Page | null {
  if (failure) return null;
  try {
    return read(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Checks whether a voice speaks a language in any region. A voice with unknown languages counts as speaking it. */
export function speaks({ languages }: Pick<Voice, "languages">, language: string): boolean {
  const wanted = family(language);
  return languages.length === 0 || languages.some((tag) => family(tag) === wanted);
}

/** Vendors write Norwegian as `no`, `nb` or `nn`, and Filipino as `fil` or `tl`. */
const family = (language: string) => {
  const subtag = subtagOf(language);
  if (subtag === "nb" || subtag === "nn") return "no";
  return subtag === "tl" ? "fil" : subtag;
};
