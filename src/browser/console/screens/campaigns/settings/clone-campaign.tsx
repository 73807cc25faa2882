import { useNavigate } from "@solidjs/router";
import { For, Show } from "solid-js";
import { api, type Body, data } from "../../../api/client.ts";
import { useQuery } from "../../../api/use-query.ts";
import { formatNumber } from "../../../texts/format.ts";
import { board, campaignSettings } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Failure } from "../../../ui/feedback.tsx";
import { CheckField, SelectField, TextField } from "../../../ui/fields.tsx";
import { createForm } from "../../../ui/form.ts";
import { Row } from "../../../ui/layout.tsx";
import { ScopedForm } from "../../../ui/scoped-form.tsx";
import { notify } from "../../../ui/toast.tsx";
import { CHOICES, type Choice, campaignsChanged, countedChoices } from "../live/queries.ts";

const t = campaignSettings.clone;

type Contacts = Body<"CloneCampaignRequest">["contacts"];

interface Values {
  name: string;
  whom: "none" | "all" | "some";
  choices: Choice[];
}

export function CloneCampaign(props: { campaign: Body<"Campaign">; onClose: () => void }) {
  const navigate = useNavigate();
  const { id } = props.campaign;
  const wasStarted = () => props.campaign.started_at !== null;
  const initial: Values = {
    name: t.copyOf(props.campaign.name),
    whom: wasStarted() ? "some" : "all",
    choices: ["not_called", "no_answer", "busy"],
  };
  const form = createForm({
    initial,
    save: async (values) => {
      const contacts: Contacts = values.whom === "some" ? values.choices : values.whom;
      const body = { name: values.name, contacts };
      const draft = await data(api.POST("/api/v1/campaigns/{id}/clone", { params: { path: { id } }, body }));
      await campaignsChanged();
      props.onClose();
      notify(t.cloned);
      navigate(`/campaigns/${draft.id}/settings`);
    },
  });
  const choose = (whom: string) => {
    if (whom === "none" || whom === "all" || whom === "some") form.set("whom", whom);
  };
  const toggle = (choice: Choice, isOn: boolean) =>
    form.set(
      "choices",
      CHOICES.filter((each) => (each === choice ? isOn : form.values.choices.includes(each))),
    );
  const counts = useQuery(() => countedChoices(id));
  const labelOf = (choice: Choice) => {
    const count = counts.data?.[choice];
    return count === undefined ? board.outcomes[choice] : `${board.outcomes[choice]}: ${formatNumber(count)}`;
  };
  return (
    <Dialog title={t.action.replace("…", "")} onClose={props.onClose}>
      <ScopedForm needs="cloneCampaign" class="stack" onSubmit={form.submit}>
        <Show when={form.failure()}>{(failure) => <Failure error={failure()} />}</Show>
        <TextField label={t.name} {...form.field("name")} maxlength={200} required />
        <SelectField
          label={t.contacts}
          value={form.values.whom}
          options={[
            { value: "all", label: t.all(props.campaign.total_contacts) },
            { value: "some", label: t.some, disabled: !wasStarted() },
            { value: "none", label: t.none },
          ]}
          onInput={choose}
          error={form.error("contacts")}
        />
        <Show when={form.values.whom === "some"}>
          <Row gap={[8, 20]}>
            <For each={CHOICES}>
              {(choice) => (
                <CheckField
                  label={labelOf(choice)}
                  value={form.values.choices.includes(choice)}
                  onInput={(isOn) => toggle(choice, isOn)}
                />
              )}
            </For>
          </Row>
        </Show>
        <div>
          <Button
            kind="primary"
            type="submit"
            busy={form.busy()}
            disabled={form.values.whom === "some" && form.values.choices.length === 0}
          >
            {t.verb}
          </Button>
        </div>
      </ScopedForm>
    </Dialog>
  );
}
