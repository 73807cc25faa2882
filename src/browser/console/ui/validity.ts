import { createEffect, createSignal, onCleanup } from "solid-js";
import { formatNumber } from "../texts/format.ts";
import { common } from "../texts/index.ts";
import { showFirstFault } from "./show-fault.ts";

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const t = common.faults;

/**
 * Checks every form before it is sent, by the rules that its controls state (`required`, `min`, `pattern`). The fields show
 * what is wrong, as they show what the service refuses; forms have `novalidate` to keep the browser's own bubbles away.
 */
export function checkForms(): void {
  const check = (event: SubmitEvent) => {
    const { target: form } = event;
    if (!(form instanceof HTMLFormElement) || form.checkValidity()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    showFirstFault(form);
  };
  addEventListener("submit", check, { capture: true });
}

/** What keeps a form with this field from being sent: undefined until that was tried, and once the value is valid. */
export function createValidity() {
  const [control, setControl] = createSignal<Control>();
  const [fault, setFault] = createSignal<string>();
  createEffect(() => {
    const refused = control();
    if (!refused) return;
    const recheck = () => {
      setFault(faultOf(refused));
      if (fault() === undefined) setControl(undefined);
    };
    recheck();
    // A click may change the value too: it discards what was entered, or suggests a password.
    addEventListener("input", recheck);
    addEventListener("click", recheck);
    onCleanup(() => {
      removeEventListener("input", recheck);
      removeEventListener("click", recheck);
    });
  });
  return {
    fault,
    /** The listener for `invalid`, which controls fire when their form is checked and which does not bubble. */
    listener: {
      capture: true,
      handleEvent: ({ target }: Event): void => {
        if (isControl(target)) setControl(() => target);
      },
    },
  };
}

const isControl = (target: EventTarget | null): target is Control =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;

/** What is wrong with the value of a control, continuing a sentence that begins with its label; undefined if it is valid. */
function faultOf(control: Control): string | undefined {
  const { validity, type, title } = control;
  const bound = (name: string) => formatNumber(Number(control.getAttribute(name)));
  if (validity.valid) return undefined;
  if (validity.customError) return control.validationMessage;
  if (validity.valueMissing) return t.required;
  if (validity.typeMismatch) return type === "email" ? t.noEmail : t.noUrl;
  if (validity.badInput) return type === "number" ? t.noNumber : t.incomplete;
  if (validity.patternMismatch) return title || t.incomplete;
  if (validity.rangeUnderflow) return t.atLeast(bound("min"));
  if (validity.rangeOverflow) return t.atMost(bound("max"));
  if (validity.stepMismatch) return t.noWholeNumber;
  return control.validationMessage;
}
