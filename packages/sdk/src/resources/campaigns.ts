import type { List } from "../pages.ts";
import { Resource, withParams } from "../resource.ts";
import type { FollowOptions, StreamEvent } from "../sse.ts";
import { fill } from "../transport.ts";
import type { Answer, CallOptions, Query, Schema } from "../types.ts";
import { type UploadOptions, upload } from "../upload.ts";

/** A list of contacts as CSV: a file, or its text. */
type Contacts = Blob | string;

/** Calls to a list of contacts. */
export class Campaigns extends Resource {
  /** Creates a campaign from a CSV of contacts; no calls before `start`. Uploads are not retried. */
  async create(
    campaign: Omit<Schema<"CreateCampaignRequest">, "contacts"> & { contacts: Contacts },
    options?: UploadOptions,
  ): Promise<Schema<"Campaign">> {
    return (await upload(this.transport, "/api/v1/campaigns", formOf(campaign), options)).json();
  }

  /** Adds contacts to a draft, or to a campaign that is paused. */
  async addContacts(
    id: string,
    contacts: Omit<Schema<"AddCampaignContactsRequest">, "contacts"> & { contacts: Contacts },
    options?: UploadOptions,
  ): Promise<Schema<"AddCampaignContactsResponse">> {
    const path = fill("/api/v1/campaigns/{id}/contacts", { path: { id } });
    return (await upload(this.transport, path, formOf(contacts), options)).json();
  }

  /** All campaigns, newest first. */
  list(
    query?: Query<"/api/v1/campaigns">,
    options?: CallOptions,
  ): List<Schema<"Campaign">, Answer<"GET", "/api/v1/campaigns">> {
    return this.listOf("/api/v1/campaigns", (page) => page.campaigns, { query, options });
  }

  get(id: string, options?: CallOptions): Promise<Schema<"Campaign">> {
    return this.call("GET", "/api/v1/campaigns/{id}", withParams(options, { params: { path: { id } } }));
  }

  update(id: string, body: Schema<"UpdateCampaignRequest">, options?: CallOptions): Promise<Schema<"Campaign">> {
    return this.call("PATCH", "/api/v1/campaigns/{id}", withParams(options, { params: { path: { id } }, body }));
  }

  delete(id: string, options?: CallOptions): Promise<undefined> {
    return this.call("DELETE", "/api/v1/campaigns/{id}", withParams(options, { params: { path: { id } } }));
  }

  start(id: string, options?: CallOptions): Promise<Schema<"Campaign">> {
    return this.call("POST", "/api/v1/campaigns/{id}/start", withParams(options, { params: { path: { id } } }));
  }

  pause(id: string, options?: CallOptions): Promise<Schema<"Campaign">> {
    return this.call("POST", "/api/v1/campaigns/{id}/pause", withParams(options, { params: { path: { id } } }));
  }

  resume(id: string, options?: CallOptions): Promise<Schema<"Campaign">> {
    return this.call("POST", "/api/v1/campaigns/{id}/resume", withParams(options, { params: { path: { id } } }));
  }

  stop(id: string, options?: CallOptions): Promise<Schema<"Campaign">> {
    return this.call("POST", "/api/v1/campaigns/{id}/stop", withParams(options, { params: { path: { id } } }));
  }

  redial(id: string, body: Schema<"RedialCampaignRequest">, options?: CallOptions): Promise<Schema<"CampaignRedial">> {
    return this.call("POST", "/api/v1/campaigns/{id}/redial", withParams(options, { params: { path: { id } }, body }));
  }

  clone(id: string, body: Schema<"CloneCampaignRequest">, options?: CallOptions): Promise<Schema<"Campaign">> {
    return this.call("POST", "/api/v1/campaigns/{id}/clone", withParams(options, { params: { path: { id } }, body }));
  }

  outcomes(id: string, options?: CallOptions): Promise<Schema<"CountCampaignOutcomesResponse">> {
    return this.call("GET", "/api/v1/campaigns/{id}/outcomes", withParams(options, { params: { path: { id } } }));
  }

  plan(id: string, options?: CallOptions): Promise<Schema<"CampaignPlan">> {
    return this.call("GET", "/api/v1/campaigns/{id}/plan", withParams(options, { params: { path: { id } } }));
  }

  /** The contacts of a campaign. */
  contacts(
    id: string,
    query?: Query<"/api/v1/campaigns/{id}/contacts">,
    options?: CallOptions,
  ): List<Schema<"Contact">, Answer<"GET", "/api/v1/campaigns/{id}/contacts">> {
    return this.listOf("/api/v1/campaigns/{id}/contacts", (page) => page.contacts, { path: { id }, query, options });
  }

  contact(id: string, contactId: string, options?: CallOptions): Promise<Schema<"GetCampaignContactResponse">> {
    return this.call(
      "GET",
      "/api/v1/campaigns/{id}/contacts/{contactId}",
      withParams(options, { params: { path: { id, contactId } } }),
    );
  }

  correctContact(
    id: string,
    contactId: string,
    body: Schema<"CorrectCampaignContactRequest">,
    options?: CallOptions,
  ): Promise<Schema<"Contact">> {
    return this.call(
      "PATCH",
      "/api/v1/campaigns/{id}/contacts/{contactId}",
      withParams(options, { params: { path: { id, contactId } }, body }),
    );
  }

  cancelContact(id: string, contactId: string, options?: CallOptions): Promise<Schema<"Contact">> {
    return this.call(
      "POST",
      "/api/v1/campaigns/{id}/contacts/{contactId}/cancel",
      withParams(options, { params: { path: { id, contactId } } }),
    );
  }

  /** What happens to the contacts, live: a snapshot first. It continues until you leave it. */
  events(id: string, options?: FollowOptions): AsyncGenerator<StreamEvent<Schema<"CampaignEvent">>, void> {
    return this.streamOf("/api/v1/campaigns/{id}/events", { id }, undefined, options);
  }

  /** The contacts with their outcomes, as CSV. */
  export(id: string, query?: Query<"/api/v1/campaigns/{id}/export">, options?: CallOptions): Promise<Response> {
    return this.file("/api/v1/campaigns/{id}/export", { id }, query, options);
  }

  /** The lines that were not imported, as CSV. */
  rejects(id: string, query?: Query<"/api/v1/campaigns/{id}/rejects">, options?: CallOptions): Promise<Response> {
    return this.file("/api/v1/campaigns/{id}/rejects", { id }, query, options);
  }

  /** All that happened, as NDJSON. */
  history(id: string, query?: Query<"/api/v1/campaigns/{id}/history">, options?: CallOptions): Promise<Response> {
    return this.file("/api/v1/campaigns/{id}/history", { id }, query, options);
  }
}

/** The form, its file last, as what says how to read the file has to come before it. */
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
