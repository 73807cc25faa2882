import { createEffect, createMemo, createSignal, on, onCleanup } from "solid-js";
import { MAX_CONTACTS, MAX_FILE_BYTES } from "../../../../../lists/limits.ts";
import { newCampaign as t } from "../../../texts/index.ts";
import { guessMapping, type Mapping, mappingFaults } from "./mapping.ts";
import { checkFile, readShape, sentFile, UnusableFile } from "./reader.ts";
import { type Mended, type Rewriting, withMended, withNumbers } from "./rewrite.ts";
import type { Check } from "./scan.ts";
import type { Shape } from "./shape.ts";

/** What a row that is wrong does. */
export type OnInvalid = "skip" | "reject";

/**
 * What is asked about numbers without a plus that would be valid with one: those that nothing tells from national ones,
 * and those that were read as national ones.
 */
export type Question = "either" | "alsoValid";

interface Chosen {
  file: File;
  shape: Shape;
}

/** A list of contacts that somebody chose, and what the service will make of it: read anew after every change. */
export function createContactList() {
  const [chosen, setChosen] = createSignal<Chosen>();
  const [problem, setProblem] = createSignal<string>();
  const [mapping, setMapping] = createSignal<Mapping>([]);
  const [country, setCountry] = createSignal("");
  const [onInvalid, setOnInvalid] = createSignal<OnInvalid>("skip");
  const [mended, setMended] = createSignal<Mended>(new Map());
  let lastMended: number | undefined;
  /** Questions that were answered with leaving the rows as they are read. */
  const [answered, setAnswered] = createSignal<readonly Question[]>([]);
  const [checked, setChecked] = createSignal<{ asked: Rewriting; numbersOf: string; found: Check }>();
  const [checkedShare, setCheckedShare] = createSignal(0);
  const faults = createMemo(() => mappingFaults(mapping()));

  const rewriting = createMemo((): Rewriting | undefined => {
    const list = chosen();
    return list && { shape: list.shape, mapping: mapping(), mended: mended() };
  });

  /** What is known of its rows; of how they were read before while they are read anew. */
  const check = () => checked()?.found;
  const isChecked = () => checked()?.asked === rewriting() && checked()?.numbersOf === country();

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
    setMended(new Map());
    setAnswered([]);
    setChecked(undefined);
  }

  createEffect(
    on([rewriting, country], ([asked, numbersOf]) => {
      const list = chosen();
      setProblem(undefined);
      if (!list || !asked || faults().length > 0) return void setChecked(undefined);
      const stop = new AbortController();
      onCleanup(() => stop.abort());
      setCheckedShare(0);
      checkFile(list.file, asked, numbersOf || null, { progress: setCheckedShare, signal: stop.signal }).then(
        (found) => {
          if (stop.signal.aborted) return;
          setChecked({ asked, numbersOf, found });
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

  /** How many rows a question is about. */
  const askedOf = (question: Question) => check()?.[question].length ?? 0;
  const isOpen = (question: Question) => askedOf(question) > 0 && !answered().includes(question);

  /** Why the list cannot be uploaded; undefined where it can. */
  const obstacle = createMemo((): string | undefined => {
    const found = check();
    if (!chosen()) return t.upload.needsFile;
    if (problem()) return t.rows.unusable;
    if (faults().length > 0) return t.upload.needsColumns;
    if (!found || !isChecked()) return t.upload.needsCheck;
    if (isOpen("either") || isOpen("alsoValid")) return t.upload.needsAnswer;
    if (found.accepted === 0) return t.rows.nothing;
    if (found.isOverMost) return t.rows.tooMany(MAX_CONTACTS);
    if (found.bytes > MAX_FILE_BYTES) return t.rows.tooLarge(found.bytes);
    return found.rejected > 0 && onInvalid() === "reject" ? t.upload.needsMending : undefined;
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
    mended,
    /** Takes over the cells of a row as they are to be sent. */
    mend(line: number, cells: string[]): void {
      lastMended = line;
      setMended((before) => withMended(before, mapping(), line, cells));
    },
    /** The line of the row that was mended last, once, as soon as all rows have been read with it. */
    takeLastMended(): number | undefined {
      if (!isChecked()) return undefined;
      const line = lastMended;
      lastMended = undefined;
      return line;
    },
    isOpen,
    /** Leaves the rows that a question is about as they are read. */
    leave: (question: Question) => setAnswered((before) => [...before, question]),
    /** Asks again. */
    askAgain: (question: Question) => setAnswered((before) => before.filter((each) => each !== question)),
    /** Takes one of their two readings for the rows that a question is about, where they have it. */
    readAs(question: Question, reading: "withPlus" | "national"): void {
      const numbers = (check()?.[question] ?? []).flatMap(({ line, [reading]: number }) =>
        number ? [{ line, number }] : [],
      );
      setMended((before) => withNumbers(before, mapping(), numbers));
    },
    undoMended: () => setMended(new Map()),
    check,
    /** How far the reading of all rows is, of 1. */
    checkedShare,
    obstacle,
    /** What is sent of the file, in a form of its own with how it is to be read. */
    async form(fields: [string, string][], watch: { progress: (share: number) => void; signal: AbortSignal }) {
      const [list, asked, found] = [chosen(), rewriting(), check()];
      if (!list || !asked || !found) throw new UnusableFile(t.upload.needsFile);
      const file = await sentFile(list.file, asked, found.encoding, watch);
      const form = new FormData();
      for (const [name, value] of fields) form.set(name, value);
      // Before the file, so that numbers are judged as they come.
      if (country() !== "") form.set("default_country", country());
      form.set("on_invalid", onInvalid());
      form.set("contacts", file, list.file.name);
      return form;
    },
  };
}

export type ContactList = ReturnType<typeof createContactList>;
