import { expect, it } from "vitest";
import { call } from "../support/client.ts";

interface Parameter {
  in: string;
  name: string;
}
interface Document {
  paths: Record<string, Record<string, { parameters?: (Parameter | { $ref: string })[] }>>;
  components: { parameters: Record<string, Parameter> };
}

/** Secrets that may be in an address because none opens a session, with the reason. SECURITY.md explains more. */
const SECRETS: Record<string, string> = {
  "query ticket": "EventSource sends no headers; it opens one stream, within 60 s",
  "path ticket": "it opens a part of what the agent says to its bearer, within 60 s, twice, on the page of the session",
  "query signature":
    "an audio element sends no headers; it plays one recording for 15 minutes, while its requester may",
  "query token": "carriers send no headers; it names one call, beside the carrier's own signature",
  "query transfer": "carriers send no headers; it names one transfer, beside the carrier's own signature",
  "query client_key": "a widget key is public",
};

/** Parameters that are not secret: ids, filters and positions in lists. */
const PUBLIC = {
  path: "account bucket call_id contactId deliveryId documentId e164 erasure faqId file from id name number playbookId promptId provider testId to toolName userId",
  query:
    "account action actor after agent_id agent_version backup by call_id campaign campaign_id category channel contact_id contacts_revision credentials data direction disclosed disposition document expires fix for from group_by interval keys kind language last_event_id limit message offset outcome pending phone_number provider resource search since state status strict successful to type types until widget_keys",
};

it("no address of a request contains a secret, except the listed ones", async () => {
  const { body } = await call<Document>("GET", "/openapi.json");
  const parameters = Object.values(body.paths).flatMap((operations) =>
    Object.values(operations).flatMap(({ parameters: all = [] }) =>
      all.flatMap((one) =>
        "$ref" in one ? (body.components.parameters[one.$ref.split("/").at(-1) ?? ""] ?? []) : [one],
      ),
    ),
  );
  const found = new Set(parameters.filter((one) => one.in !== "header").map((one) => `${one.in} ${one.name}`));
  const named = Object.entries(PUBLIC).flatMap(([place, names]) => names.split(" ").map((name) => `${place} ${name}`));
  // A new parameter fails here until it is added to the list.
  expect([...found].sort()).toEqual([...named, ...Object.keys(SECRETS)].sort());
  expect(named.filter((name) => /token|secret|password|ticket|signature|session|code|api_?key/i.test(name))).toEqual(
    [],
  );
});
