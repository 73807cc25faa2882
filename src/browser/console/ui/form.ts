import { useBeforeLeave } from "@solidjs/router";
import { createMemo, createSignal, getOwner, onCleanup, onMount } from "solid-js";
import { createStore, produce, reconcile, unwrap } from "solid-js/store";
import { ApiFailure, ifMatch } from "../api/client.ts";
import { common } from "../texts/index.ts";
import { confirm } from "./confirm.tsx";
import { faultAlone, placeFaults } from "./faults.ts";
import { showFirstFault } from "./show-fault.ts";
import { type Clash, threeWay } from "./three-way.ts";

interface Stored<Values> {
  from: object;
  read: () => Promise<{ from: object; values: Values }>;
  /** Fields that the service does not give back, so that nobody can tell whether somebody else changed them. */
  isSecret?: (path: string) => boolean;
}

/** Somebody else has stored other values meanwhile for what was changed here. */
interface Conflict<Values> {
  by: string | null;
  at: string | null;
  clashes: Clash[];
  theirs: Values;
  merged: Values;
  from: object;
}

interface Options<Values extends object> {
  /** What the form begins with. */
  initial: Values;
  /**
   * Sends what was entered, which began as `before`: send only what differs, so that what somebody else changed meanwhile
   * stays. What it throws is shown at the fields that the service names.
   */
  save: (values: Values, before: Values, match: Record<string, string>) => Promise<unknown>;
  /**
   * The stored state, if others may change it too: what the form begins from, and how to read it again. `save` sends
   * the headers it is given, and returns the service's answer.
   */
  stored?: Stored<Values>;
  /** Whether something besides the values would be lost too, such as a chosen file. */
  holdsMore?: () => boolean;
}

/** How often a save is retried when nobody else has changed the same fields. */
const MAX_TRIES = 3;
const LEAVING = { title: common.leave, body: common.unsaved, verb: common.leaveVerb, cancel: common.stay };
/** Every form that is shown: whether it holds something unsaved, and how that is dropped. */
const shownForms = new Set<{ dirty: () => boolean; reset: () => void }>();

/** Asks before the whole screen is left, where something on it is unsaved. */
export async function mayLeave(): Promise<boolean> {
  return ![...shownForms].some(({ dirty }) => dirty()) || confirm(LEAVING);
}

/** Drops what is unsaved of a thing that no longer exists. */
export function dropUnsaved(): void {
  for (const { reset } of shownForms) reset();
}

/**
 * The state of a form: what is entered, its errors, and whether it is saved. A user who leaves with unsaved changes is
 * asked first.
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
  /** The state that what is entered was begun from. */
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

  return {
    values,
    set: setValues,
    dirty,
    busy,
    /** Errors of the form as a whole, and of values that none of its fields edits. */
    failure: (): Error | undefined => {
      const failed = failure();
      if (!(failed instanceof ApiFailure) || failed.fields.length === 0) return failed;
      const { rest } = placed();
      if (rest.length === 0) return undefined;
      const words = [...new Set(rest.map(faultAlone))].join(" ");
      return new ApiFailure(failed.status, failed.code, words, failed.requestId, rest);
    },
    error,
    /** What somebody else has saved meanwhile, of what was changed here. */
    conflict,
    /** The props of a component that edits this field: spread them on the component. */
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
    /** Saves what was entered here over what somebody else has saved. */
    async keepMine(): Promise<boolean> {
      const found = conflict();
      return found !== undefined && settled(found, () => submit());
    },
    /** Goes on from what somebody else has saved. */
    takeTheirs(): void {
      const found = conflict();
      if (found) settled(found, () => reset(found.theirs));
    },
    reset,
    submit,
  };

  /** The service's error at a field, `a.b` for a nested one; the caller shows it. */
  function error(field: string): string | undefined {
    fields.claim(field);
    return placed().at.get(field);
  }

  /** Starts over from these saved values. */
  function reset(saved: Values = base()): void {
    setBase(() => copyOf(saved));
    setValues(reconcile(copyOf(saved)));
    setFailure(undefined);
    setConflict(undefined);
  }

  /** Takes over what is stored, with what was entered here upon it. */
  function settled<T>({ theirs, merged, from: read }: Conflict<Values>, go: () => T): T {
    from = read;
    setBase(() => copyOf(theirs));
    setValues(reconcile(copyOf(merged)));
    setConflict(undefined);
    return go();
  }

  /**
   * Saves; the handler of the form's `submit`. What is wrong is scrolled to and focused, the first first.
   * @param within the form, where the event does not say
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

  /** Saves; after what others have saved meanwhile in other fields, with that taken over. */
  async function attempt(): Promise<boolean> {
    for (let tries = 1; ; tries++) {
      const sent = copyOf(values);
      const before = base();
      try {
        const answer = await save(sent, copyOf(before), ifMatch(from));
        if (stored && typeof answer === "object" && answer !== null) from = answer;
        setConflict(undefined);
        // Unless the form was reset meanwhile.
        if (base() === before) setBase(() => sent);
        return true;
      } catch (error) {
        const changed = error instanceof ApiFailure ? error.changed : undefined;
        if (!changed || !stored || tries > MAX_TRIES) throw error;
        const read = await stored.read();
        const found = conflictOf(changed, before, read);
        if (found.clashes.length > 0) {
          setConflict(() => found);
          return false;
        }
        settled(found, () => undefined);
      }
    }
  }

  function conflictOf(
    changed: { by: string | null; at: string | null },
    before: Values,
    read: { from: object; values: Values },
  ): Conflict<Values> {
    const theirs = copyOf(read.values);
    const { merged, clashes } = threeWay(before, copyOf(values), theirs, stored?.isSecret);
    return { by: changed.by, at: changed.at, clashes, theirs, merged, from: read.from };
  }
}

/** A form that `createForm` made. */
export type Form<Values extends object> = ReturnType<typeof createForm<Values>>;

/** A copy of its own: what a query gave and what a form holds are proxies, lists within them too. */
function copyOf<T>(values: T): T {
  return structuredClone(unwrap(values));
}

/** The names of the fields that a form shows now. */
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
