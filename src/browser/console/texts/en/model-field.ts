import { formatDay, formatMoney } from "../format.ts";
import { agents } from "./agents.ts";

const LABELS: Record<string, string> = agents.models;
const labelOf = (name: string) => LABELS[name] ?? name;
const money = (micros: number | null) => (micros === null ? "unknown" : formatMoney(micros));

interface Priced {
  input_micros_per_million: number | null;
  output_micros_per_million: number | null;
}

/** Texts for fields that choose a model. */
export const modelField = {
  notConnected: "not connected",
  price: ({ input_micros_per_million: input, output_micros_per_million: output }: Priced) =>
    input === null && output === null ? "price unknown" : `${money(input)} in, ${money(output)} out per million tokens`,
  ends: (model: { label: string; ends_at: string | null; replaced_by: string | null } | undefined) =>
    model?.ends_at
      ? `${model.label} ends on ${formatDay(model.ends_at)}; after that, ${labelOf(model.replaced_by ?? "")} answers.`
      : "",
  endsFor: (agents: string, replaced: string, at: string) =>
    `ends on ${formatDay(at)}. After that, ${labelOf(replaced)} answers for ${agents}.`,
};
