import { z } from "zod";
import { HOUR_MS, SECOND_MS } from "../../kernel/time.ts";
import { type Voice, voice } from "./voice-list.ts";

/** How long a vendor's list is reused, ms. */
const KEPT_MS = HOUR_MS;

const entry = z.object({ at: z.number(), voices: z.array(voice) });

/** Identifies one account's list at one vendor. Another key or parameter changes the revision. */
export interface ListKey {
  account: string;
  provider: string;
  revision: number;
}

/** Returns the cache's address of a list. No external request has this host, so no other code can read the list. */
const addressOf = ({ account, provider, revision }: ListKey) =>
  `https://voices.invalid/${encodeURIComponent(account)}/${provider}/${revision}`;

/**
 * Returns a vendor's voices from the location's cache, or loads them and caches them for an hour. It writes nothing to
 * a database; each location loads the list itself. `now` in ms.
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
