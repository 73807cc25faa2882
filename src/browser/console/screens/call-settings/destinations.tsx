import { createResource, For, Show } from "solid-js";
import { LANGUAGE } from "../../texts/format.ts";
import { callSettings as t } from "../../texts/index.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { CheckField, GroupFault, SelectField } from "../../ui/fields.tsx";
import { Plus, X } from "../../ui/icons.tsx";

import { Stack } from "../../ui/layout.tsx";
import styles from "./call-settings.module.css";

interface Code {
  value: string;
  label: string;
}

async function callingCodes(): Promise<Code[]> {
  const { COUNTRIES_BY_CODE } = await import("../../../../kernel/numbers/calling-codes.ts");
  const names = new Intl.DisplayNames(LANGUAGE, { type: "region" });
  return Object.entries(COUNTRIES_BY_CODE).map(([code, countries]) => ({
    value: `+${code}`,
    label: `+${code} ${t.countries(countries.map((country) => names.of(country) ?? country))}`,
  }));
}

/** Returns the distinct calling codes of these numbers. */
async function codesOf(numbers: readonly string[]): Promise<string[]> {
  const { callingCodeOf } = await import("../../../../kernel/numbers/calling-codes.ts");
  const codes = numbers.flatMap((number) => callingCodeOf(number.slice(1)) ?? []);
  return [...new Set(codes.map((code) => `+${code}`))].sort();
}

/**
 * The destinations that the account may call: all, or only these calling codes. It proposes those of the account's own
 * numbers.
 */
export function Destinations(props: {
  value: string[] | null;
  onInput: (value: string[] | null) => void;
  error: string | undefined;
  /** The account's own numbers, E.164; undefined until they are loaded. */
  numbers: readonly string[] | undefined;
}) {
  const [options] = createResource(callingCodes, { initialValue: [] });
  const [own] = createResource(() => props.numbers, codesOf, { initialValue: [] });
  const proposed = () => own.latest.filter((code) => !props.value?.includes(code));
  const labelOf = (code: string) => options.latest.find(({ value }) => value === code)?.label ?? code;
  const add = (...codes: string[]) => props.onInput([...new Set([...(props.value ?? []), ...codes])]);
  return (
    <>
      <CheckField
        label={t.onlySome}
        hint={t.onlySomeHint}
        value={props.value !== null}
        // If this were checked before the numbers are loaded, no destination would be left.
        disabled={props.value === null && (props.numbers === undefined || own.loading)}
        onInput={(isLimited) => props.onInput(isLimited ? own.latest : null)}
      />
      <Show when={props.value}>
        {(codes) => (
          <Stack gap={12}>
            <GroupFault label={t.destinations} error={props.error} />
            <Show when={codes().length > 0} fallback={<p class="muted">{t.nowhere}</p>}>
              <ul class={styles.codes} aria-label={t.destinations}>
                <For each={codes()}>
                  {(code) => (
                    <li>
                      {labelOf(code)}
                      <IconButton
                        small
                        icon={X}
                        label={t.removeDestination(labelOf(code))}
                        onClick={() => props.onInput(codes().filter((other) => other !== code))}
                      />
                    </li>
                  )}
                </For>
              </ul>
            </Show>
            <Show when={proposed().length > 0}>
              <div>
                <Button small icon={Plus} onClick={() => add(...proposed())}>
                  {t.addOwn(proposed().join(", "))}
                </Button>
              </div>
            </Show>
            <SelectField
              label={t.addDestination}
              value=""
              options={[
                { value: "", label: t.chooseDestination },
                ...options.latest.filter(({ value }) => !codes().includes(value)),
              ]}
              onInput={(code) => code !== "" && add(code)}
            />
          </Stack>
        )}
      </Show>
    </>
  );
}
