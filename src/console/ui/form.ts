import { useBeforeLeave } from "@solidjs/router";
import { createMemo, createSignal, getOwner, onCleanup, onMount } from "solid-js";
import { createStore, reconcile, unwrap } from "solid-js/store";
import { ApiFailure } from "../api/client.ts";
import { common } from "../texts/index.ts";
import { confirm } from "./confirm.tsx";
import { faultAlone, placeFaults } from "./faults.ts";
import { showFirstFault } from "./show-fault.ts";

interface Options<Values extends object> {
  /** What the form begins with. */
  initial: Values;
  /**
   * Sends what was entered, which began as `before`: send only what differs, so that what somebody else changed meanwhile
   * stays. What it throws is shown at the fields that the service names.
   */
  save: (values: Values, before: Values) => Promise<unknown>;
  /** Whether something beside the values would be lost too, such as a file that was chosen. */
  holdsMore?: () => boolean;
}

const LEAVING = { title: common.leave, body: common.unsaved, verb: common.leaveVerb, cancel: common.stay };
/** Whether each form that is shown holds something unsaved. */
const unsaved = new Set<() => boolean>();

/** Whether what is unsaved may go, with the whole screen: asks where something is. */
export async function mayLeave(): Promise<boolean> {
  return ![...unsaved].some((isDirty) => isDirty()) || confirm(LEAVING);
}

/**
 * The state of a form: what is entered, what is wrong with it, and whether it is saved. Whoever leaves with something
 * unsaved is asked first.
 */
export function createForm<Values extends object>({ initial, save, holdsMore }: Options<Values>) {
  const [base, setBase] = createSignal(copyOf(initial), { equals: false });
  const [values, setValues] = createStore<Values>(copyOf(initial));
  const [failure, setFailure] = createSignal<Error>();
  const [busy, setBusy] = createSignal(false);
  const fields = createFieldNames();
  const placed = createMemo(() => {
    const failed = failure();
    return placeFaults(failed instanceof ApiFailure ? failed.fields : [], fields.shown());
  });
  const dirty = createMemo(() => JSON.stringify(values) !== JSON.stringify(base()) || holdsMore?.() === true);

  unsaved.add(dirty);
  onCleanup(() => unsaved.delete(dirty));
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
    /** What is wrong with the form as a whole, and with what none of its fields edits. */
    failure: (): Error | undefined => {
      const failed = failure();
      if (!(failed instanceof ApiFailure) || failed.fields.length === 0) return failed;
      const { rest } = placed();
      if (rest.length === 0) return undefined;
      const words = [...new Set(rest.map(faultAlone))].join(" ");
      return new ApiFailure(failed.status, failed.code, words, failed.requestId, rest);
    },
    /** What the service says is wrong with a field, `a.b` for one inside another; whoever asks shows it. */
    error: (field: string): string | undefined => {
      fields.claim(field);
      return placed().at.get(field);
    },
    /** Begins anew from these values, which are the saved ones. */
    reset(stored: Values = base()): void {
      setBase(() => copyOf(stored));
      setValues(reconcile(copyOf(stored)));
      setFailure(undefined);
    },
    /**
     * Saves; the handler of the form's `submit`. What is wrong is scrolled to and focused, the first first.
     * @param within the form, where the event does not say
     * @returns whether it was saved
     */
    async submit(event?: Event, within = event?.currentTarget): Promise<boolean> {
      event?.preventDefault();
      if (busy()) return false;
      setBusy(true);
      setFailure(undefined);
      try {
        const sent = copyOf(values);
        const before = base();
        await save(sent, copyOf(before));
        // Unless it was begun anew by then.
        if (base() === before) setBase(() => sent);
        return true;
      } catch (error) {
        setFailure(error instanceof Error ? error : new Error(String(error)));
        return false;
      } finally {
        setBusy(false);
        if (failure() && within instanceof HTMLElement) showFirstFault(within);
      }
    },
  };
}

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
    // A field that draws itself anew lets go of its name for a moment.
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
    /** Counts a field in as long as what asks for its error is there. */
    claim(name: string): void {
      if (!getOwner()) return;
      count(name, 1);
      onCleanup(() => count(name, -1));
    },
  };
}
