/** The most frames that wait while the session is being opened. */
const MAX_WAITING_FRAMES = 200;

/** Processes frames one after the other. Opening a session takes a while, and later frames must not overtake it. */
export class FrameQueue {
  #turn: Promise<void> = Promise.resolve();
  #waiting = 0;

  get isFull(): boolean {
    return this.#waiting >= MAX_WAITING_FRAMES;
  }

  /** Does the work for a frame in its turn. An error is passed to `refuse`, after which later frames may follow. */
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
