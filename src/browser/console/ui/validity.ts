import { createEffect, createSignal, onCleanup } from "solid-js";
import { formatNumber } from "../texts/format.ts";
import { common } from "../texts/index.ts";
import { showFirstFault } from "./show-fault.ts";

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const t = common.faults;

/**
 * Checks every form before it is sent, by the rules of its controls (`required`, `min`, `pattern`). Fields show these
 * errors like those of the service; forms have `novalidate` to suppress the browser's own bubbles.
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

/**
 * Tracks why a field prevents its form from being sent: undefined until the user tried to send it, and again once the
 * value is valid.
 */
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
    // A click may change the value too, for example to discard input or suggest a password.
    addEventListener("input", recheck);
    addEventListener("click", recheck);
    onCleanup(() => {
      removeEventListener("input", recheck);
      removeEventListener("click", recheck);
    });
  });
  return {
    fault,
    /** Listener for `invalid`, which controls fire when their form is checked and which doesn't bubble. */
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

/**
 * Returns what is wrong with a control's value, as the end of a sentence that begins with its label; undefined if it is
 * valid.
 */
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
