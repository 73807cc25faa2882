/** What a form marks as wrong: a field, a group of fields, or the whole. */
const FAULT = '[aria-invalid="true"], [data-fault], [role="alert"]';
const FOCUSABLE = "input, select, textarea, button, [tabindex]";

/** Scrolls to the first thing in a form that is shown as wrong, and puts the focus there. */
export function showFirstFault(form: HTMLElement): void {
  const fault = form.querySelector<HTMLElement>(FAULT);
  if (!fault) return;
  openAround(fault);
  fault.scrollIntoView({ block: "center" });
  if (!fault.matches(FOCUSABLE)) fault.tabIndex = -1;
  fault.focus({ preventScroll: true });
}

function openAround(element: Element): void {
  for (let around = element.closest("details"); around; around = around.parentElement?.closest("details") ?? null)
    around.open = true;
}
