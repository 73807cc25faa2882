import { Campaigns as Operations } from "../operations.ts";
import type { FollowOptions, StreamEvent } from "../sse.ts";
import { fill } from "../transport.ts";
import type { Schema } from "../types.ts";
import { type UploadOptions, upload } from "../upload.ts";

/** A list of contacts as CSV: a file or its text. */
type Contacts = Blob | string;

/** Calls to a list of contacts. */
export class Campaigns extends Operations {
  /** Creates a campaign from a CSV of contacts. It makes no calls before `start`. Uploads are not retried. */
  async create(
    campaign: Omit<Schema<"CreateCampaignRequest">, "contacts"> & { contacts: Contacts },
    options?: UploadOptions,
  ): Promise<Schema<"Campaign">> {
    return (await upload(this.transport, "/api/v1/campaigns", formOf(campaign), options)).json();
  }

  /** Adds contacts to a draft or a paused campaign. */
  async addContacts(
    id: string,
    contacts: Omit<Schema<"AddCampaignContactsRequest">, "contacts"> & { contacts: Contacts },
    options?: UploadOptions,
  ): Promise<Schema<"AddCampaignContactsResponse">> {
    const path = fill("/api/v1/campaigns/{id}/contacts", { path: { id } });
    return (await upload(this.transport, path, formOf(contacts), options)).json();
  }

  /** Streams what happens to the contacts, beginning with a snapshot, until you stop reading. */
  events(id: string, options?: FollowOptions): AsyncGenerator<StreamEvent<Schema<"CampaignEvent">>, void> {
    return this.streamOf("/api/v1/campaigns/{id}/events", { id }, undefined, options);
  }
}

/** Builds the form. The file comes last, because the fields that describe it must precede it. */
function formOf({ contacts, ...fields }: Record<string, unknown> & { contacts: Contacts }): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue;
    form.set(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  }
  const file = typeof contacts === "string" ? new Blob([contacts], { type: "text/csv" }) : contacts;
  form.set("contacts", file, "name" in file ? String(file.name) : "contacts.csv");
  return form;
}
