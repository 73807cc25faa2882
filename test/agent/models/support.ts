import { LISTED_MODELS, type ListedModel } from "../../../src/agent/models/list.ts";
import { DAY_MS } from "../../../src/kernel/time.ts";

/** Returns the list of models in which gpt-4o and gpt-4o-mini end in this many days, and no other model ends. */
export function endingIn(days: number): ListedModel[] {
  const ends_on = new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  return LISTED_MODELS.map((model) =>
    Object.assign({}, model, { ends_on: model.name.startsWith("gpt-4o") ? ends_on : null }),
  );
}
