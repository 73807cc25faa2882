/** Frames that may wait while the session is being opened. */
const MAX_WAITING_FRAMES = 200;

/** Takes frames one after the other: opening a session takes a while, and they must not overtake it. */
export class FrameQueue {
  #turn: Promise<void> = Promise.resolve();
  #waiting = 0;

  /** Whether the queue is full. */
  get isFull(): boolean {
    return this.#waiting >= MAX_WAITING_FRAMES;
  }

  /** Does the work for a frame in its turn; what it throws goes to `refuse`, once others may follow. */
  async add(work: () => Promise<void>, refuse: (error: unknown) => Promise<void>): Promise<void> {
    this.#waiting++;
    const own = this.#turn.then(work);
    this.#turn = own.catch(() => {});
    try {
      await own;
    } catch (error) {
      await refuse(error);
    } finally {
      this.#waiting--;
    }
  }
}
