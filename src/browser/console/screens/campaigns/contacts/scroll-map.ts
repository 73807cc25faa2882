/** Browsers draw nothing beyond some 17 million px (Firefox) or 33 million (Chromium); this is well below. */
export const MAX_HEIGHT_PX = 8_000_000;
/** A scroll by fewer views than this is a step; a larger one is a jump, as by dragging the scrollbar. */
const STEP_VIEWS = 3;
/** This many views before an end, steps begin to lead exactly to it. */
const END_VIEWS = 20;

/**
 * The scroll position of a list that may be taller than an element can be. Up to that height it scrolls like any other.
 * Beyond it, the scrollbar stands for the whole list, and steps still move by their own length: `top` is where the view
 * begins in the list, px, and `shift` has to be added to a place in the list to draw it there.
 */
export class ScrollMap {
  readonly height: number;
  readonly #full: number;
  readonly #view: number;
  #scrolled = 0;
  top = 0;

  /** @param full the height of the whole list, px @param view that of what is seen of it */
  constructor(full: number, view: number) {
    this.#full = full;
    this.#view = view;
    this.height = Math.min(full, MAX_HEIGHT_PX);
  }

  get shift(): number {
    return this.#scrolled - this.top;
  }

  /** The element was scrolled to here. */
  scrollTo(scrolled: number): void {
    const most = Math.max(0, this.height - this.#view);
    const mostTop = Math.max(0, this.#full - this.#view);
    const to = Math.min(Math.max(scrolled, 0), most);
    const step = to - this.#scrolled;
    if (most === mostTop) this.top = to;
    else if (to === 0 || to === most) this.top = to === 0 ? 0 : mostTop;
    else if (Math.abs(step) > STEP_VIEWS * this.#view) this.top = (to / most) * mostTop;
    else {
      // How much of the scrollbar and of the list is left in the direction of the step.
      const [left, leftOfList] = step < 0 ? [this.#scrolled, this.top] : [most - this.#scrolled, mostTop - this.top];
      const isNearEnd = left < END_VIEWS * this.#view || leftOfList < END_VIEWS * this.#view;
      this.top += isNearEnd && left > 0 ? step * (leftOfList / left) : step;
    }
    this.top = Math.min(Math.max(this.top, 0), mostTop);
    this.#scrolled = to;
  }

  /** Where to scroll the element for a stretch of the list to be visible; undefined if it is. */
  toShow(from: number, to: number): number | undefined {
    if (from < this.top) return this.#scrolled + from - this.top;
    if (to > this.top + this.#view) return this.#scrolled + to - this.top - this.#view;
    return undefined;
  }
}
