/** Returns the options that contain every typed word, those that begin with the typed text first. */
export function matching<Found extends { label: string }>(options: readonly Found[], typed: string): Found[] {
  const text = folded(typed.trim());
  if (text === "") return [...options];
  const words = text.split(/\s+/);
  const digits = /^[+\d\s()-]+$/.test(text) ? text.replace(/\D/g, "") : "";
  const found = options.filter(({ label }) => {
    const own = folded(label);
    return words.every((word) => own.includes(word)) || (digits !== "" && label.replace(/\D/g, "").includes(digits));
  });
  const isFirst = ({ label }: Found) => folded(label).startsWith(text);
  return [...found.filter(isFirst), ...found.filter((option) => !isFirst(option))];
}

/** Removes case and accents, so that "sao" finds "São Paulo". */
const folded = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
