import { createEffect, createMemo, createSignal, on, onCleanup } from "solid-js";
import { MAX_CONTACTS, MAX_FILE_BYTES, MAX_ROWS_BYTES } from "../../../../../lists/limits.ts";
import { newCampaign as t } from "../../../texts/index.ts";
import { columnsJson, correctionsOf, type Fixes, rowsJson, withFix, withNumbers } from "./fixes.ts";
import { guessMapping, type Mapping, mappingFaults } from "./mapping.ts";
import { checkFile, readShape, UnusableFile } from "./reader.ts";
import type { Check, Reading } from "./scan.ts";
import type { Shape } from "./shape.ts";

export type OnInvalid = "skip" | "reject";

/**
 * A question about numbers without a plus that would be valid with one. `either`: they may also be national.
 * `alsoValid`: they were read as national.
 */
export type Question = "either" | "alsoValid";

interface Chosen {
  file: File;
  shape: Shape;
}

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

/**
 * Creates the state of a contact list that the user chose. The list is checked as the service would read it, again
 * after every change.
 */
export function createContactList() {
  const [chosen, setChosen] = createSignal<Chosen>();
  const [problem, setProblem] = createSignal<string>();
  const [mapping, setMapping] = createSignal<Mapping>([]);
  const [country, setCountry] = createSignal("");
  const [onInvalid, setOnInvalid] = createSignal<OnInvalid>("skip");
  const [fixes, setFixes] = createSignal<Fixes>(new Map());
  /** Whether the last fix exceeded the limit of one upload. */
  const [hasNoRoom, setNoRoom] = createSignal(false);
  let lastFixed: number | undefined;
  /** Questions that the user answered by leaving the rows as they were read. */
  const [answered, setAnswered] = createSignal<readonly Question[]>([]);
  const [checked, setChecked] = createSignal<{ reading: Reading; found: Check }>();
  const [checkedShare, setCheckedShare] = createSignal(0);
  const faults = createMemo(() => mappingFaults(mapping()));

  const reading = createMemo((): Reading | undefined => {
    const list = chosen();
    const corrections = correctionsOf(mapping(), fixes());
    return list && { file: list.file, shape: list.shape, corrections, country: country() || null };
  });

  /** The result of the last check, kept while the rows are being checked again. */
  const check = () => checked()?.found;
  const isChecked = () => checked()?.reading === reading();

  let latest: File | undefined;
  async function choose(file: File): Promise<void> {
    clear();
    latest = file;
    const shape = await readShape(file).catch(() => "not_text" as const);
    if (latest !== file) return;
    if (typeof shape === "string") return void setProblem(t.choose.problems[shape]);
    setMapping(guessMapping(shape));
    setChosen({ file, shape });
  }

  function clear(): void {
    latest = undefined;
    setChosen(undefined);
    setProblem(undefined);
    clearFixes();
    setAnswered([]);
    setChecked(undefined);
  }

  function clearFixes(): void {
    setFixes(new Map());
    setNoRoom(false);
  }

  /** Applies fixes unless they exceed the limit of one upload. */
  function takeFixes(next: Fixes): boolean {
    const fits = bytesOf(rowsJson(correctionsOf(mapping(), next).rows)) <= MAX_ROWS_BYTES;
    setNoRoom(!fits);
    if (fits) setFixes(next);
    return fits;
  }

  createEffect(
    on(reading, (current) => {
      setProblem(undefined);
      if (!current || faults().length > 0) return void setChecked(undefined);
      const stop = new AbortController();
      onCleanup(() => stop.abort());
      setCheckedShare(0);
      checkFile(current, { progress: setCheckedShare, signal: stop.signal }).then(
        (found) => {
          if (stop.signal.aborted) return;
          setChecked({ reading: current, found });
          setCheckedShare(1);
        },
        (error: unknown) => {
          if (stop.signal.aborted) return;
          setChecked(undefined);
          setProblem(error instanceof UnusableFile ? error.message : t.choose.problems.not_text);
        },
      );
    }),
  );

  /** Returns the number of rows that a question concerns. */
  const rowsOf = (question: Question) => check()?.[question].length ?? 0;
  const isOpen = (question: Question) => rowsOf(question) > 0 && !answered().includes(question);

  /** Why the list can't be uploaded; undefined if it can. */
  const obstacle = createMemo((): string | undefined => {
    const found = check();
    if (!chosen()) return t.upload.needsFile;
    if (problem()) return t.rows.unusable;
    if (faults().length > 0) return t.upload.needsColumns;
    if (!found || !isChecked()) return t.upload.needsCheck;
    if (isOpen("either") || isOpen("alsoValid")) return t.upload.needsAnswer;
    if (found.accepted === 0) return t.rows.nothing;
    if (found.isOverMost) return t.rows.tooMany(MAX_CONTACTS);
    if (found.sent.size > MAX_FILE_BYTES) return t.rows.tooLarge(found.sent.size);
    return found.rejected > 0 && onInvalid() === "reject" ? t.upload.needsFixes : undefined;
  });

  return {
    chosen,
    problem,
    choose,
    clear,
    mapping,
    setMapping(changed: Mapping): void {
      setChecked(undefined);
      setAnswered([]);
      setMapping(changed);
    },
    faults,
    country,
    setCountry(code: string): void {
      setAnswered([]);
      setCountry(code);
    },
    onInvalid,
    setOnInvalid,
    fixes,
    hasNoRoom,
    /** Fixes the cells of a row in the used columns. Surplus cells are dropped. */
    fix(line: number, cells: string[], tooMany: number): void {
      if (takeFixes(withFix(fixes(), mapping(), line, cells, tooMany))) lastFixed = line;
    },
    /**
     * Returns the line of the last fixed row once all rows have been checked with the fix. Later calls return
     * undefined.
     */
    takeLastFixed(): number | undefined {
      if (!isChecked()) return undefined;
      const line = lastFixed;
      lastFixed = undefined;
      return line;
    },
    isOpen,
    leave: (question: Question) => setAnswered((before) => [...before, question]),
    askAgain: (question: Question) => setAnswered((before) => before.filter((each) => each !== question)),
    /** Answers a question with one of the two readings, for the rows that have this reading. */
    readAs(question: Question, reading: "withPlus" | "national"): void {
      const numbers = (check()?.[question] ?? []).flatMap(({ line, [reading]: number }) =>
        number ? [{ line, number }] : [],
      );
      takeFixes(withNumbers(fixes(), mapping(), numbers));
    },
    undoFixes: clearFixes,
    check,
    checkedShare,
    obstacle,
    /**
     * Returns the form that uploads the file with its corrections. @throws UnusableFile before all rows have been
     * checked
     */
    form(fields: [string, string][]): FormData {
      const [list, current, found] = [chosen(), reading(), check()];
      if (!list || !current || !found) throw new UnusableFile(t.upload.needsFile);
      const { columns, rows } = current.corrections;
      const form = new FormData();
      for (const [name, value] of fields) form.set(name, value);
      // These fields come before the file, so that the service can read it as a stream.
      if (country() !== "") form.set("default_country", country());
      form.set("on_invalid", onInvalid());
      if (columns.size > 0) form.set("columns", columnsJson(columns));
      if (rows.size > 0) form.set("rows", rowsJson(rows));
      form.set("contacts", found.sent, list.file.name);
      return form;
    },
  };
}

export type ContactList = ReturnType<typeof createContactList>;
