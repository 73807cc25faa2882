import { useBeforeLeave } from "@solidjs/router";
import { createMemo, createSignal, onCleanup, onMount } from "solid-js";
import { createStore, reconcile, unwrap } from "solid-js/store";
import { ApiFailure } from "../api/client.ts";
import { common } from "../texts/index.ts";
import { confirm } from "./confirm.tsx";

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
    /** What is wrong with the form as a whole, with no field to show it at. */
    failure: () => {
      const failed = failure();
      return failed instanceof ApiFailure && failed.fields.length > 0 ? undefined : failed;
    },
    /** What the service says is wrong with a field, `a.b` for one inside another. */
    error: (field: string): string | undefined => {
      const failed = failure();
      if (!(failed instanceof ApiFailure)) return undefined;
      return failed.fields.find((wrong) => wrong.field === field || wrong.field.startsWith(`${field}.`))?.message;
    },
    /** Begins anew from these values, which are the saved ones. */
    reset(stored: Values = base()): void {
      setBase(() => copyOf(stored));
      setValues(reconcile(copyOf(stored)));
      setFailure(undefined);
    },
    /** Saves; the handler of the form's `submit`. @returns whether it was saved */
    async submit(event?: Event): Promise<boolean> {
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
      }
    },
  };
}

/** A copy of its own: what a query gave and what a form holds are proxies, lists within them too. */
function copyOf<T>(values: T): T {
  return structuredClone(unwrap(values));
}
