/** Chooses a voice for a language. Prefers the same region, then a voice on this machine over one on a server. */
export function chooseVoice<V extends { lang: string; localService: boolean }>(
  voices: V[],
  lang: string,
): V | undefined {
  const wanted = lang.toLowerCase();
  const [base] = wanted.split("-");
  const rank = (voice: V) => {
    const has = voice.lang.toLowerCase().replace("_", "-");
    if (has !== wanted && has.split("-")[0] !== base) return 0;
    return (has === wanted ? 4 : 2) + (voice.localService ? 1 : 0);
  };
  return voices.filter((voice) => rank(voice) > 0).sort((a, b) => rank(b) - rank(a))[0];
}
