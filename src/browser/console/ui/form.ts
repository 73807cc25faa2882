import { useBeforeLeave } from "@solidjs/router";
import { createEffect, createMemo, createSignal, getOwner, on, onCleanup, onMount } from "solid-js";
import { createStore, produce, reconcile, unwrap } from "solid-js/store";
import { ApiFailure, ifMatch } from "../api/client.ts";
import { common } from "../texts/index.ts";
import { confirm } from "./confirm.tsx";
import { faultAlone, placeFaults } from "./faults.ts";
import { showFirstFault } from "./show-fault.ts";
import { type Clash, threeWay } from "./three-way.ts";

/** A state of a resource, with the values that a form shows of it. */
interface State<Values> {
  from: object;
  values: Values;
}

interface Stored<Values> {
  from: object;
  /** The state that the console has read last. */
  latest: () => State<Values> | undefined;
  /** Reads the state again; undefined if the resource no longer exists. */
  read: () => Promise<State<Values> | undefined>;
  /** Fields that the service doesn't return, so concurrent edits of them can't be detected. */
  isSecret?: (path: string) => boolean;
}

/** Someone else has meanwhile stored other values for the fields changed here. */
interface Conflict<Values> {
  by: string | null;
  at: string | null;
  clashes: Clash[];
  theirs: Values;
  merged: Values;
  from: object;
}

interface Options<Values extends object> {
  initial: Values;
  /**
   * Sends the values, which were `before` when the user began. Send only what differs, so that changes by others aren't
   * overwritten. Errors are shown at the fields that the service names.
   */
  save: (values: Values, before: Values, match: Record<string, string>) => Promise<unknown>;
  stored?: Stored<Values>;
  /** Whether something besides the values would be lost, such as a chosen file. */
  holdsMore?: () => boolean;
}

/** The author of a change that the service does not name. */
const UNKNOWN_AUTHOR = { by: null, at: null };
/** The most retries of a save while no one else has changed the same fields. */
const MAX_TRIES = 3;
const LEAVING = { title: common.leave, body: common.unsaved, verb: common.leaveVerb, cancel: common.stay };
/** The mounted forms, each with its unsaved state and a way to discard it. */
const shownForms = new Set<{ dirty: () => boolean; reset: () => void }>();

/** Asks before the whole screen is left if it has unsaved changes. */
export async function mayLeave(): Promise<boolean> {
  return ![...shownForms].some(({ dirty }) => dirty()) || confirm(LEAVING);
}

/** Discards unsaved changes of a resource that no longer exists. */
export function dropUnsaved(): void {
  for (const { reset } of shownForms) reset();
}

/**
 * Creates the state of a form: its values, its errors, and whether it is saved. It asks before the user leaves with
 * unsaved changes.
 */
export function createForm<Values extends object>({ initial, save, stored, holdsMore }: Options<Values>) {
  const [base, setBase] = createSignal(copyOf(initial), { equals: false });
  const [values, setValues] = createStore<Values>(copyOf(initial));
  const [failure, setFailure] = createSignal<Error>();
  const [conflict, setConflict] = createSignal<Conflict<Values>>();
  const [busy, setBusy] = createSignal(false);
  const fields = createFieldNames();
  const placed = createMemo(() => {
    const failed = failure();
    return placeFaults(failed instanceof ApiFailure ? failed.fields : [], fields.shown());
  });
  /** The stored state with which the user began. */
  let from: object = stored?.from ?? {};
  const dirty = createMemo(() => JSON.stringify(values) !== JSON.stringify(base()) || holdsMore?.() === true);

  const shown = { dirty, reset: () => reset() };
  shownForms.add(shown);
  onCleanup(() => shownForms.delete(shown));
  useBeforeLeave((leaving) => {
    const isSamePage = typeof leaving.to === "string" && leaving.to.split("?")[0] === leaving.from.pathname;
    if (!dirty() || busy() || leaving.defaultPrevented || isSamePage) return;
    leaving.preventDefault();
    void confirm(LEAVING).then((isSure) => isSure && leaving.retry(true));
  });
  onMount(() => {
    const guard = (event: BeforeUnloadEvent) => dirty() && event.preventDefault();
    addEventListener("beforeunload", guard);
    onCleanup(() => removeEventListener("beforeunload", guard));
  });

  // A form without changes shows what others save.
  createEffect(
    on(
      () => stored?.latest(),
      (latest) => latest && !dirty() && !busy() && adopt(latest),
      { defer: true },
    ),
  );

  return {
    values,
    set: setValues,
    dirty,
    busy,
    /** Returns the error of the form as a whole, including errors in values that no field edits. */
    failure: (): Error | undefined => {
      const failed = failure();
      if (!(failed instanceof ApiFailure) || failed.fields.length === 0) return failed;
      const { rest } = placed();
      if (rest.length === 0) return undefined;
      const words = [...new Set(rest.map(faultAlone))].join(" ");
      return new ApiFailure(failed.status, failed.code, words, failed.requestId, rest);
    },
    error,
    /** The fields changed here that someone else has saved meanwhile. */
    conflict,
    /** Returns the props of the component that edits this field: spread them on it. */
    field: <Name extends Extract<keyof Values, string>>(name: Name) => ({
      "data-field": name,
      get value(): Values[Name] {
        return values[name];
      },
      get error(): string | undefined {
        return error(name);
      },
      onInput: (value: Values[Name]): void =>
        setValues(
          produce((entered) => {
            entered[name] = value;
          }),
        ),
    }),
    /** Saves the user's values over those of the other person. */
    async keepMine(): Promise<boolean> {
      const found = conflict();
      return found !== undefined && settled(found, () => submit());
    },
    /** Continues with the values of the other person. */
    takeTheirs(): void {
      const found = conflict();
      if (found) settled(found, () => reset(found.theirs));
    },
    reset,
    submit,
  };

  /** Returns the service's error at a field, `a.b` for a nested one. The caller must show it. */
  function error(field: string): string | undefined {
    fields.claim(field);
    return placed().at.get(field);
  }

  /** Starts over with these saved values. */
  function reset(saved: Values = base()): void {
    setBase(() => copyOf(saved));
    setValues(reconcile(copyOf(saved)));
    setFailure(undefined);
    setConflict(undefined);
  }

  /** Adopts a stored state with the values that differ from the earlier one on top. */
  function adopt(read: State<Values>): void {
    settled(conflictOf(UNKNOWN_AUTHOR, base(), read), () => undefined);
  }

  /** Adopts the stored state with the user's values on top. */
  function settled<T>({ theirs, merged, from: read }: Conflict<Values>, go: () => T): T {
    from = read;
    setBase(() => copyOf(theirs));
    setValues(reconcile(copyOf(merged)));
    setConflict(undefined);
    return go();
  }

  /**
   * Saves the form; use it as the handler of `submit`. It scrolls to the first error and focuses it.
   * @param within the form, if the event doesn't contain it
   * @returns whether it was saved
   */
  async function submit(event?: Event, within = event?.currentTarget): Promise<boolean> {
    event?.preventDefault();
    if (busy()) return false;
    setBusy(true);
    setFailure(undefined);
    try {
      return await attempt();
    } catch (error) {
      setFailure(error instanceof Error ? error : new Error(String(error)));
      return false;
    } finally {
      setBusy(false);
      if (failure() && within instanceof HTMLElement) showFirstFault(within);
    }
  }

  /** Saves the form. If others have changed other fields meanwhile, it adopts their changes and tries again. */
  async function attempt(): Promise<boolean> {
    // The service refuses to overwrite a change only if its response had an ETag.
    if (Object.keys(ifMatch(from)).length === 0 && !(await caughtUp(UNKNOWN_AUTHOR))) return false;
    for (let tries = 1; ; tries++) {
      const sent = copyOf(values);
      const before = base();
      const earlier = stored?.latest();
      try {
        const answer = await save(sent, copyOf(before), ifMatch(from));
        if (stored && typeof answer === "object" && answer !== null) from = answer;
        setConflict(undefined);
        // Unless the form was reset meanwhile.
        if (base() === before) setBase(() => sent);
        // The service may have stored a text in another form than it was sent. If someone else has already changed what
        // the user went on editing, the next save finds the conflict.
        const latest = stored?.latest();
        if (latest && latest.from !== earlier?.from && conflictOf(UNKNOWN_AUTHOR, base(), latest).clashes.length === 0)
          adopt(latest);
        return true;
      } catch (error) {
        const changed = error instanceof ApiFailure ? error.changed : undefined;
        if (!changed || !stored || tries > MAX_TRIES) throw error;
        if (!(await caughtUp(changed))) return false;
      }
    }
  }

  /** Adopts what others have stored meanwhile. Otherwise it shows the conflict and returns false. */
  async function caughtUp(changed: { by: string | null; at: string | null }): Promise<boolean> {
    const read = await stored?.read();
    if (!read) return true;
    const found = conflictOf(changed, base(), read);
    if (found.clashes.length === 0) return settled(found, () => true);
    setConflict(() => found);
    return false;
  }

  function conflictOf(
    changed: { by: string | null; at: string | null },
    before: Values,
    read: State<Values>,
  ): Conflict<Values> {
    const theirs = copyOf(read.values);
    const { merged, clashes } = threeWay(before, copyOf(values), theirs, stored?.isSecret);
    return { by: changed.by, at: changed.at, clashes, theirs, merged, from: read.from };
  }
}

export type Form<Values extends object> = ReturnType<typeof createForm<Values>>;

/** Returns a plain copy: the values of queries and forms are proxies, including their lists. */
function copyOf<T>(values: T): T {
  return structuredClone(unwrap(values));
}

/** Tracks the names of the fields that a form shows. */
function createFieldNames() {
  const counts = new Map<string, number>();
  const [names, setNames] = createSignal<string[]>([], {
    equals: (before, after) => before.length === after.length && before.every((name, i) => name === after[i]),
  });
  let isStale = false;
  const changed = () => {
    if (isStale) return;
    isStale = true;
    // A field that re-renders releases its name for a moment.
    queueMicrotask(() => {
      isStale = false;
      setNames([...counts.keys()].sort());
    });
  };
  const count = (name: string, more: number) => {
    const total = (counts.get(name) ?? 0) + more;
    if (total === 0) counts.delete(name);
    else counts.set(name, total);
    changed();
  };
  return {
    shown: names,
    /** Registers a field for as long as the component that reads its error is mounted. */
    claim(name: string): void {
      if (!getOwner()) return;
      count(name, 1);
      onCleanup(() => count(name, -1));
    },
  };
}
