/** Matches what a form marks as invalid: a field, a group of fields, or the whole form. */
const FAULT = '[aria-invalid="true"], [data-fault], [role="alert"]';
const FOCUSABLE = "input, select, textarea, button, [tabindex]";

/** Scrolls to the first error in a form and focuses it. */
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
