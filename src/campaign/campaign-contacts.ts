import type { Author } from "../kernel/db/account-store.ts";
import { armNoLaterThan } from "../kernel/durable/alarm.ts";
import { notFound } from "../kernel/http/errors.ts";
import type { ImportCounts } from "../lists/rows.ts";
import { CampaignCalls } from "./campaign-calls.ts";
import { IMPORT_WATCH_MS } from "./campaign-object.ts";
import type { AttemptRecord, ContactRecord } from "./contract.ts";
import type { Outcome } from "./decide/state.ts";
import { whyWaiting } from "./dial/why-waiting.ts";
import type { Upload } from "./import/read-list.ts";
import { cancelContact } from "./repair/cancel.ts";
import type { Original } from "./repair/clone.ts";
import { choiceCounts, contactsToCopy, noteClone, originalOf } from "./repair/copy.ts";
import { type Correction, correctContact } from "./repair/correct.ts";
import type { Choice, ChoiceCounts } from "./repair/outcomes.ts";
import type { CopiedContacts } from "./store/repairs.ts";
import {
  type ContactList,
  type ContactQuery,
  type ContactSearch,
  contactWithCalls,
  listContacts,
  shownContact,
} from "./streams/contact-list.ts";
import { DOWNLOADS } from "./streams/downloads.ts";

/** The campaign's object for its contacts: added, corrected, cancelled, called again, copied, listed and downloaded. */
export abstract class CampaignContacts extends CampaignCalls {
  /** Adds the contacts of an upload, whose body comes as that of a new campaign. */
  async append(upload: Upload, body: ReadableStream<Uint8Array> | null): Promise<ImportCounts> {
    const armed = () => armNoLaterThan(this.ctx.storage, Date.now() + IMPORT_WATCH_MS);
    const counts = await this.appends.append(upload, body, armed);
    await this.changed();
    return counts;
  }

  /** Corrects a contact that waits. @throws ApiError 400, 404, 409 */
  async correct(contact: string, correction: Correction, author: Author): Promise<ContactRecord> {
    this.known();
    correctContact(this.store, contact, correction, author, Date.now());
    return this.#changedContact(contact);
  }

  /** Cancels a contact that waits. @throws ApiError 404, 409 */
  async cancel(contact: string, author: Author, operation: string | null): Promise<ContactRecord> {
    this.known();
    cancelContact(this.store, contact, author, Date.now(), operation);
    return this.#changedContact(contact);
  }

  async #changedContact(id: string): Promise<ContactRecord> {
    const contact = shownContact(this.store, id);
    await this.changed();
    return contact;
  }

  /** Makes failed contacts pending again; those that are many in the background; gives how many. @throws ApiError 403, 404, 409 */
  async redial(outcomes: Outcome[], author: Author, operation: string | null): Promise<{ contacts: number }> {
    const begun = () => this.loop.wake();
    const contacts = await this.redials.redial(outcomes, author, Date.now, begun, operation);
    if (contacts > 0) await this.changed();
    return { contacts };
  }

  /** What a clone of it would be made of. @throws ApiError 404, 409 */
  original(): Original {
    return originalOf(this.known());
  }

  /** It is being cloned, which its audit log is to tell. */
  async cloned(author: Author): Promise<void> {
    this.known();
    noteClone(this.store, author, Date.now());
    await this.loop.wake();
  }

  /** Contacts after a row, for a clone. */
  copy(after: number, choices: Choice[] | null): CopiedContacts {
    this.known();
    return contactsToCopy(this.store, after, choices);
  }

  /** How many contacts there are of each choice. @throws ApiError 404 */
  outcomes(): ChoiceCounts {
    this.known();
    return choiceCounts(this.store);
  }

  /** A page of its contacts; null where there is no campaign, or no longer: a page under way ends there. */
  contacts(query: ContactQuery): ContactList | null {
    return this.store.campaign.row && listContacts(this.store, query);
  }

  async contact(id: string): Promise<ContactRecord & { attempts: AttemptRecord[]; waiting_for: string | null }> {
    const found = contactWithCalls(this.store, id);
    if (!found) throw notFound("contact");
    const waiting_for = await whyWaiting(found.contact, this.store, this.dispatcher, this.deps, this.usage);
    return { ...found.record, waiting_for };
  }

  /** A file of the campaign, as it is read; that of contacts holds those who are asked for. */
  download(file: keyof typeof DOWNLOADS, filter: ContactSearch = {}): ReadableStream<Uint8Array> {
    this.known();
    return DOWNLOADS[file](this.store, filter);
  }
}
