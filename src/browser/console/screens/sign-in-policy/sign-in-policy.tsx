import { api, type Body, data } from "../../api/client.ts";
import { query, showAnswer } from "../../api/queries.ts";
import { storedBy, useQuery } from "../../api/use-query.ts";
import { signInPolicy as t } from "../../texts/index.ts";
import { changesOf } from "../../ui/changes.ts";
import { confirm } from "../../ui/confirm.tsx";
import { Loaded, Note } from "../../ui/feedback.tsx";
import { CheckField, Fields, NumberField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { Stack } from "../../ui/layout.tsx";
import { Card, Page } from "../../ui/page.tsx";
import { SaveBar } from "../../ui/save-bar.tsx";
import { ScopedForm } from "../../ui/scoped-form.tsx";
import { notify } from "../../ui/toast.tsx";

const KEY = ["sign-in-policy"];
const PATH = "/api/v1/sign-in-policy";

type Policy = Body<"SignInPolicy">;

const stored = () => query(KEY, (signal) => data(api.GET(PATH, { signal })));

export default function SignInPolicy() {
  const policy = useQuery(stored);
  return (
    <Page title={t.title} lead={t.lead}>
      <Loaded query={policy}>{(found) => <PolicyForm policy={found()} />}</Loaded>
    </Page>
  );
}

function PolicyForm(props: { policy: Policy }) {
  const form = createForm({
    initial: props.policy,
    stored: storedBy(props.policy, stored(), (policy) => policy),
    save: async (values, before) => {
      const saved = await data(api.PATCH(PATH, { body: changesOf(before, values) }));
      showAnswer(KEY, saved);
      notify(t.saved);
    },
  });
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const shown = event.currentTarget;
    if (form.values.require_second_factor && !props.policy.require_second_factor) {
      if (!(await confirm({ title: t.requireTitle, body: t.requireBody, verb: t.requireVerb }))) return;
    }
    await form.submit(event, shown);
  };
  return (
    <ScopedForm needs="updateSignInPolicy" onSubmit={submit}>
      <Stack>
        <FormProblem form={form} />
        <Card>
          <Fields legend={t.factor}>
            <CheckField label={t.requireFactor} hint={t.requireFactorHint} {...form.field("require_second_factor")} />
          </Fields>
        </Card>
        <Card>
          <Fields legend={t.sessions}>
            <NumberField
              label={t.hours}
              hint={t.hoursHint}
              value={form.values.session_hours}
              onInput={(value) => value !== undefined && form.set("session_hours", value)}
              error={form.error("session_hours")}
              min={1}
              max={12}
              step={1}
              required
            />
            <NumberField
              label={t.idle}
              hint={t.idleHint}
              value={form.values.idle_minutes}
              onInput={(value) => value !== undefined && form.set("idle_minutes", value)}
              error={form.error("idle_minutes")}
              min={5}
              max={120}
              step={1}
              required
            />
          </Fields>
        </Card>
        <Note>{t.elsewhere}</Note>
        <SaveBar form={form} />
      </Stack>
    </ScopedForm>
  );
}
