import { Show } from "solid-js";
import type { Body } from "../../api/client.ts";
import { storedBy } from "../../api/use-query.ts";
import { common, accounts as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { changesOf } from "../../ui/changes.ts";
import { CheckField, Fields, NumberField, TextField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { Stack } from "../../ui/layout.tsx";
import { namesOf } from "../../ui/names-of.ts";
import { FormFooter, Section } from "../../ui/page.tsx";
import { notify } from "../../ui/toast.tsx";
import { OverrideTable } from "./override-table.tsx";
import { PLAN_CAPS, PLAN_QUOTAS } from "./overrides.ts";
import { PlanField, usePlan } from "./plan-field.tsx";
import { accountByName, changeAccount } from "./queries.ts";

/** Returns the settings of an account that are changed together. */
const valuesOf = (account: Body<"Account">) => ({
  display_name: account.display_name,
  plan: account.plan,
  listed: account.listed,
  max_key_expiry_days: account.max_key_expiry_days,
  recording_retention_days: account.recording_retention_days,
  caps: { ...PLAN_CAPS, ...account.caps_overrides },
  quotas: { ...PLAN_QUOTAS, ...account.quotas_overrides },
});

export function AccountSettings(props: { account: Body<"Account"> }) {
  const form = createForm({
    initial: valuesOf(props.account),
    stored: storedBy(props.account, accountByName(props.account.name), valuesOf),
    save: async (values, before) => {
      const { caps: ownCaps, quotas: ownQuotas, ...rest } = values;
      const [caps, quotas] = [changesOf(before.caps, ownCaps), changesOf(before.quotas, ownQuotas)];
      await changeAccount(props.account.name, {
        ...changesOf<Partial<typeof rest>>(before, rest),
        ...(namesOf(caps).length > 0 && { caps }),
        ...(namesOf(quotas).length > 0 && { quotas }),
      });
      notify(common.saved);
    },
  });
  const plan = usePlan(() => form.values.plan);
  return (
    <Section title={t.settings}>
      <form noValidate onSubmit={(event) => void form.submit(event)}>
        <Stack>
          <Fields>
            <FormProblem form={form} />
            <TextField
              label={t.fields.display_name}
              hint={t.displayNameHint}
              {...form.field("display_name")}
              required
            />
            <PlanField {...form.field("plan")} />
            <OverrideTable
              label={t.caps}
              plan={plan()?.caps}
              overrides={form.values.caps}
              onChange={(name, value) => form.set("caps", name, value)}
              error={(name) => form.error(`caps.${name}`)}
            />
            <OverrideTable
              label={t.quotas}
              plan={plan()?.quotas}
              overrides={form.values.quotas}
              onChange={(name, value) => form.set("quotas", name, value)}
              error={(name) => form.error(`quotas.${name}`)}
            />
            <p class="muted">{t.overrideHint}</p>
            <NumberField
              label={t.keyExpiry}
              hint={t.keyExpiryHint}
              min={1}
              value={form.values.max_key_expiry_days ?? undefined}
              onInput={(value) => form.set("max_key_expiry_days", value ?? null)}
              error={form.error("max_key_expiry_days")}
            />
            <NumberField
              label={t.retention}
              hint={t.retentionHint}
              min={1}
              value={form.values.recording_retention_days}
              onInput={(value) => form.set("recording_retention_days", value ?? 0)}
              error={form.error("recording_retention_days")}
              required
            />
            <CheckField label={t.listedLabel} hint={t.listedHint} {...form.field("listed")} />
          </Fields>
          <FormFooter>
            <Button kind="primary" type="submit" busy={form.busy()} disabled={!form.dirty()}>
              {common.saveChanges}
            </Button>
            <Show when={form.dirty()}>
              <Button kind="quiet" onClick={() => form.reset()}>
                {common.discard}
              </Button>
            </Show>
          </FormFooter>
        </Stack>
      </form>
    </Section>
  );
}
