import type { ObjectFrame } from "../durable/object-frame.ts";
import { ObservedObject } from "../observing/observed-object.ts";
import type { ObjectStore } from "../stores/stores.ts";
import { type ObjectCursor, type ObjectPage, type ObjectRestore, readObject, restoreObject } from "./object-copy.ts";

/** The base class of objects included in backups. */
export abstract class CopiedObject<E extends object> extends ObservedObject<E> {
  protected abstract readonly store: Pick<ObjectStore, "migrations" | "tables">;
  protected abstract override readonly frame: Pick<ObjectFrame<unknown>, "alarm" | "arm" | "close">;

  async backup(from: ObjectCursor | null): Promise<ObjectPage> {
    return readObject(this.ctx.storage, this.store.tables, from);
  }

  /** Restores a page into an object that holds nothing else. @throws ApiError 409 */
  async restore(page: ObjectRestore): Promise<void> {
    if (restoreObject(this.ctx.storage, this.store, page)) await this.frame.arm();
  }
}
