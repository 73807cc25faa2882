import { createSignal } from "solid-js";
import { useQuery } from "../../../api/use-query.ts";
import { agents } from "../../../texts/index.ts";
import { SelectField } from "../../../ui/fields.tsx";
import { optionsOf } from "../../../ui/options.ts";
import { useAgent } from "../agent-context.ts";
import { type Channel, effectOn } from "../queries.ts";

const t = agents.effect;

/** What callers notice of the stored settings on a channel. */
export interface EffectNotes {
  channel: () => Channel;
  choose: (channel: Channel) => void;
  /** A field's hint, with what happens instead where its setting has no effect. */
  hint: (field: string, hint: string) => string;
}

/** Reads the effect of the agent's stored settings on the chosen channel. */
export function useEffectNotes(): EffectNotes {
  const agent = useAgent();
  const [channel, choose] = createSignal<Channel>("twilio");
  const query = useQuery(() => effectOn(agent().id, channel()));
  const hint = (field: string, text: string) => {
    const found = query.data?.settings.find((setting) => setting.field === field);
    if (!found || found.effective) return found?.instead ? `${text} ${t.instead(found.instead)}` : text;
    return `${text} ${t.without(t.channels[channel()], found.instead ?? "", found.reason ?? "")}`;
  };
  return { channel, choose, hint };
}

/** Chooses the channel that the hints of the settings are about. */
export function EffectChannel(props: { effect: EffectNotes }) {
  return (
    <SelectField
      label={t.label}
      hint={t.hint}
      value={props.effect.channel()}
      onInput={props.effect.choose}
      options={optionsOf(t.channels)}
    />
  );
}
