import { z } from "zod";
import { HOUR_MS, SECOND_MS } from "../../kernel/time.ts";
import { type Voice, voice } from "./voice-list.ts";

/** How long a vendor's list is reused, ms. */
const KEPT_MS = HOUR_MS;

const entry = z.object({ at: z.number(), voices: z.array(voice) });

/** The list of one account at one vendor, as it is stored there: another key or parameter makes another revision. */
export interface ListKey {
  account: string;
  provider: string;
  revision: number;
}

/** No request from outside has this host, so that nobody else gets the list. */
const addressOf = ({ account, provider, revision }: ListKey) =>
  `https://voices.invalid/${encodeURIComponent(account)}/${provider}/${revision}`;

/**
 * Returns a vendor's voices from the location's cache, or loads and keeps them for an hour. It costs no write to a
 * database, and a location that lost its entry asks the vendor again. `now` in ms.
 */
export async function keptVoices(key: ListKey, now: number, load: () => Promise<Voice[]>): Promise<Voice[]> {
  const cached = await caches.default.match(addressOf(key));
  const { data } = entry.safeParse(await cached?.json());
  if (data && now - data.at < KEPT_MS) return data.voices;
  const voices = await load();
  const headers = { "cache-control": `max-age=${KEPT_MS / SECOND_MS}` };
  await caches.default.put(addressOf(key), Response.json({ at: now, voices }, { headers }));
  return voices;
}
