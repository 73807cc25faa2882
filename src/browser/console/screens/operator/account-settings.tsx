import { createEffect, on, Show } from "solid-js";
import type { Body } from "../../api/client.ts";
import { common, accounts as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Failure } from "../../ui/feedback.tsx";
import { CheckField, Fields, NumberField, TextField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { namesOf } from "../../ui/names-of.ts";
import { FormFooter, Section, Stack } from "../../ui/page.tsx";
import { notify } from "../../ui/toast.tsx";
import { OverrideTable } from "./override-table.tsx";
import { changesOf, PLAN_CAPS, PLAN_QUOTAS } from "./overrides.ts";
import { PlanField, usePlan } from "./plan-field.tsx";
import { changeAccount } from "./queries.ts";

/** What can be changed of an account in one go. */
const valuesOf = (account: Body<"Account">) => ({
  display_name: account.display_name,
  plan: account.plan,
  listed: account.listed,
  max_key_expiry_days: account.max_key_expiry_days,
  recording_retention_days: account.recording_retention_days,
  caps: { ...PLAN_CAPS, ...account.caps_overrides },
  quotas: { ...PLAN_QUOTAS, ...account.quotas_overrides },
});

/** The account's plan, deviations from it, and the other settings of operators. */
export function AccountSettings(props: { account: Body<"Account"> }) {
  /** The values the form began with: only fields that differ were changed here and are sent. */
  let seen = valuesOf(props.account);
  const form = createForm({
    initial: seen,
    save: async (values) => {
      const { caps: ownCaps, quotas: ownQuotas, ...rest } = values;
      const [caps, quotas] = [changesOf(seen.caps, ownCaps), changesOf(seen.quotas, ownQuotas)];
      await changeAccount(props.account.name, {
        ...changesOf<Partial<typeof rest>>(seen, rest),
        ...(namesOf(caps).length > 0 && { caps }),
        ...(namesOf(quotas).length > 0 && { quotas }),
      });
      seen = values;
      notify(common.saved);
    },
  });
  createEffect(
    on(
      () => props.account,
      (account) => {
        if (form.dirty()) return;
        seen = valuesOf(account);
        form.reset(seen);
      },
      { defer: true },
    ),
  );
  const plan = usePlan(() => form.values.plan);
  return (
    <Section title={t.settings}>
      <form noValidate onSubmit={(event) => void form.submit(event)}>
        <Stack>
          <Fields>
            <Show when={form.failure()}>{(failure) => <Failure error={failure()} />}</Show>
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
