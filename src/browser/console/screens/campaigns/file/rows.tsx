import { createResource, For, Show } from "solid-js";
import { formatNumber, LANGUAGE } from "../../../texts/format.ts";
import { newCampaign } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { saveAs } from "../../../ui/download.ts";
import { Note, Skeleton } from "../../../ui/feedback.tsx";
import { SelectField } from "../../../ui/fields.tsx";
import { Download } from "../../../ui/icons.tsx";
import { Grid } from "../../../ui/layout.tsx";
import { groupedNumber } from "../../../ui/phone-number.ts";
import type { ContactList, OnInvalid } from "./contact-list.ts";
import styles from "./file.module.css";
import { focusNextAfterFix } from "./focus-next.ts";
import { Questions } from "./questions.tsx";
import { Rejects } from "./rejects.tsx";
import type { Check } from "./scan.ts";

const t = newCampaign.rows;

/** What the service will do with the rows. Nothing is sent yet. */
export function Rows(props: {
  list: ContactList;
  /** Whether the contacts are added to an existing campaign. */
  isAdded?: boolean;
}) {
  focusNextAfterFix(props.list);
  const isReading = () => props.list.checkedShare() < 1;
  return (
    <>
      <div class={styles.country}>
        <Country list={props.list} />
      </div>
      <Show when={isReading() && props.list.faults().length === 0 && !props.list.problem()}>
        <div class={styles.progress} role="status">
          <progress value={props.list.checkedShare()} aria-label={t.checking(props.list.checkedShare())} />
          <span class="muted">{t.checking(props.list.checkedShare())}</span>
        </div>
      </Show>
      <Show
        when={props.list.check()}
        fallback={
          <Show when={isReading() && !props.list.problem() && props.list.faults().length === 0}>
            <Skeleton lines={4} />
          </Show>
        }
      >
        {(check) => (
          <div class={isReading() ? styles.stale : undefined}>
            <Verdict list={props.list} check={check()} isAdded={props.isAdded ?? false} />
          </div>
        )}
      </Show>
    </>
  );
}

function Verdict(props: { list: ContactList; check: Check; isAdded: boolean }) {
  const fileName = (what: string) => `${props.list.chosen()?.file.name.replace(/\.[^.]*$/, "")} ${what}.csv`;
  return (
    <div class={styles.verdict}>
      <Counts
        counts={[
          { count: props.check.accepted, words: t.accepted },
          { count: props.check.rejected, words: t.rejected, tone: "bad" },
          { count: props.check.duplicates, words: t.duplicates, tone: "warn" },
        ]}
      />
      <Show when={props.check.national > 0}>
        <Note tone="warn">
          <p>{t.national(props.check.national)}</p>
        </Note>
      </Show>
      <Questions list={props.list} check={props.check} />
      <Show when={props.check.first.length > 0}>
        <h3>{t.first}</h3>
        <FirstContacts check={props.check} />
      </Show>
      <Show when={props.list.fixes().size > 0}>
        <p>
          {t.fixed(props.list.fixes().size)}{" "}
          <Button small onClick={props.list.undoFixes}>
            {t.undoFixes}
          </Button>
        </p>
      </Show>
      <Show when={props.list.hasNoRoom()}>
        <Note tone="warn">
          <p role="alert">{t.tooManyFixes}</p>
        </Note>
      </Show>
      <Show when={props.check.rejected > 0}>
        <h3>{t.rejectsTitle(props.check.rejected)}</h3>
        <Rejects list={props.list} check={props.check} />
        <div>
          <Button small icon={Download} onClick={() => saveAs(props.check.rejectsCsv, fileName(t.rejected))}>
            {t.downloadRejects}
          </Button>
        </div>
        <Show when={props.check.accepted > 0}>
          <Choice list={props.list} check={props.check} />
        </Show>
      </Show>
      <Show when={props.check.duplicates > 0}>
        <p class="muted">{t.duplicatesNote(props.check.duplicates)}</p>
        <div>
          <Button small icon={Download} onClick={() => saveAs(props.check.duplicatesCsv, fileName(t.duplicates))}>
            {t.downloadDuplicates}
          </Button>
        </div>
      </Show>
      <Show when={props.isAdded}>
        <p class="muted">{t.ofCampaign}</p>
      </Show>
    </div>
  );
}

export function Counts(props: { counts: { count: number; words: string; tone?: "bad" | "warn" }[] }) {
  return (
    <Grid columns="repeat(3, minmax(0, 1fr))" gap={8} max={640}>
      <For each={props.counts}>
        {({ count, words, tone }) => (
          <div class={`${styles.count} ${tone && count > 0 ? styles[tone] : ""}`}>
            <span class={styles.number}>{formatNumber(count)}</span>
            <span class="muted">{words}</span>
          </div>
        )}
      </For>
    </Grid>
  );
}

function FirstContacts(props: { check: Check }) {
  return (
    <section class={styles.rows} aria-label={t.first} tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col" class="numbers">
              {t.line}
            </th>
            <th scope="col">{t.phone}</th>
            <th scope="col">{t.zone}</th>
            <For each={props.check.columns}>{(name) => <th scope="col">{name}</th>}</For>
          </tr>
        </thead>
        <tbody>
          <For each={props.check.first}>
            {(contact) => (
              <tr>
                <td class="numbers">{formatNumber(contact.line)}</td>
                <td>{groupedNumber(contact.phone_number)}</td>
                <td>{contact.timezone ?? "–"}</td>
                <For each={contact.variables}>{(value) => <td>{value || "–"}</td>}</For>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </section>
  );
}

function Choice(props: { list: ContactList; check: Check }) {
  const choices: [OnInvalid, () => string][] = [
    ["skip", () => t.skip(props.check.accepted)],
    ["reject", () => t.reject],
  ];
  return (
    <div class={styles.choice} role="radiogroup" aria-label={t.choice}>
      <For each={choices}>
        {([value, words]) => (
          <label>
            <input
              type="radio"
              name="on_invalid"
              checked={props.list.onInvalid() === value}
              onChange={() => props.list.setOnInvalid(value)}
            />
            {words()}
          </label>
        )}
      </For>
    </div>
  );
}

/** Returns the countries by name, the user's own first. */
async function countries(): Promise<{ value: string; label: string }[]> {
  const { getCountries, getCountryCallingCode } = await import("libphonenumber-js/max");
  const names = new Intl.DisplayNames(LANGUAGE, { type: "region" });
  const own = /-([A-Z]{2})\b/.exec(navigator.language)?.[1];
  const options = getCountries().map((code) => ({
    value: code,
    label: `${names.of(code) ?? code} (+${getCountryCallingCode(code)})`,
  }));
  options.sort((a, b) => Number(b.value === own) - Number(a.value === own) || a.label.localeCompare(b.label, LANGUAGE));
  return options;
}

function Country(props: { list: ContactList }) {
  const [countryOptions] = createResource(countries, { initialValue: [] });
  return (
    <SelectField
      label={t.country}
      hint={t.countryHint}
      value={props.list.country()}
      options={countryOptions.loading ? undefined : [{ value: "", label: t.noCountry }, ...countryOptions.latest]}
      onInput={props.list.setCountry}
    />
  );
}
