import { createSignal, For } from "solid-js";
import type { Body } from "../../../api/client.ts";
import { useQuery } from "../../../api/use-query.ts";
import { agents } from "../../../texts/index.ts";
import { Fields, SelectField } from "../../../ui/fields.tsx";
import { optionsOf } from "../../../ui/options.ts";
import { useAgent } from "../agent-context.ts";
import { type Channel, effectOn } from "../queries.ts";

const t = agents.effect;

export interface EffectNotes {
  channel: () => Channel;
  choose: (channel: Channel) => void;
  /** Returns a field's hint, with what happens instead if its setting has no effect. */
  hint: (field: string, hint: string) => string;
  /** Returns notes on settings that are edited on other screens. */
  elsewhere: () => string[];
}

/** Labels of settings that may have no effect and are edited on other screens. */
const ELSEWHERE: Record<string, string> = {
  voicemail_message: agents.fields.voicemail,
  auth_mode: agents.effect.visitors,
};

/** Reads the effects of the agent's stored settings on the chosen channel. */
export function useEffectNotes(): EffectNotes {
  const agent = useAgent();
  const [channel, choose] = createSignal<Channel>("twilio");
  const query = useQuery(() => effectOn(agent().id, channel()));
  const settings = () => query.data?.settings ?? [];
  const without = ({ instead, reason }: Body<"SettingEffect">) =>
    t.without(t.channels[channel()], instead ?? "", reason ?? "");
  const hint = (field: string, text: string) => {
    const found = settings().find((setting) => setting.field === field);
    if (!found || found.effective) return found?.instead ? `${text} ${t.instead(found.instead)}` : text;
    return `${text} ${without(found)}`;
  };
  const elsewhere = () =>
    settings().flatMap((setting) => {
      const label = setting.effective ? undefined : ELSEWHERE[setting.field];
      return label === undefined ? [] : [t.elsewhere(label, without(setting))];
    });
  return { channel, choose, hint, elsewhere };
}

export function EffectChannel(props: { effect: EffectNotes }) {
  return (
    <Fields>
      <SelectField
        label={t.label}
        hint={t.hint}
        value={props.effect.channel()}
        onInput={props.effect.choose}
        options={optionsOf(t.channels)}
      />
      <For each={props.effect.elsewhere()}>{(words) => <p class="muted">{words}</p>}</For>
    </Fields>
  );
}
