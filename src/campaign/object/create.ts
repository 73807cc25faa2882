import type { Author } from "../../kernel/db/account-store.ts";
import { campaignObject } from "../../kernel/durable/objects.ts";
import type { Reader } from "../../kernel/http/credential.ts";
import { conflict, type FieldError } from "../../kernel/http/errors.ts";
import { assertOwnAgent } from "../../kernel/http/own-agents.ts";
import type { UnknownFields } from "../../kernel/http/unknown-fields.ts";
import type { CampaignContext } from "../context.ts";
import type { CampaignRecord } from "../contract.ts";
import { DELETED_MEANWHILE } from "../import/append.ts";
import { importUpload } from "../import/importer.ts";
import type { Upload } from "../import/read-list.ts";
import { IMPORT_WATCH_MS } from "../import/watch.ts";
import { missingReference } from "../references.ts";
import { type CloneOrder, cloneInto } from "../repair/clone.ts";
import { type CampaignSettings, withDefaults } from "../settings.ts";
import { beginImport } from "../store/import-transitions.ts";
import { abandon, type EraseContext } from "./erase.ts";
import { publish } from "./publish.ts";

type Context = EraseContext & Pick<CampaignContext, "env" | "guard" | "claims" | "wake" | "report" | "now">;

interface Creation {
  author: Author;
  created_by: string;
  /**
   * Stores settings and contacts. `missing` returns errors for the references in the settings that the account doesn't
   * have.
   */
  fill(missing: (named: Partial<CampaignSettings>) => Promise<FieldError[]>, revoked: AbortSignal): Promise<void>;
  reader: Reader;
}

/** A campaign created from an upload, and the ignored form fields. */
export interface Imported {
  record: CampaignRecord;
  ignored: UnknownFields;
}

/** Delay before a failed erasure is retried, ms. */
const ERASE_AGAIN_MS = 2_000;

/**
 * Creates the campaign from an upload. The body is passed as an argument: it is read no faster than it is stored, and
 * it errors if the client's connection breaks, as the body of a request would.
 */
export async function importCampaign(
  context: Context,
  { upload, body }: { upload: Upload; body: ReadableStream<Uint8Array> | null },
): Promise<Imported> {
  const { store, now } = context;
  const { author, created_by, reader, agentIds, content_type, strict } = upload;
  const headers = new Headers({ "content-type": content_type });
  let ignored: UnknownFields = { fields: [], total: 0 };
  const fill: Creation["fill"] = async (missing, revoked) => {
    ignored = await importUpload({ headers, body, revoked, strict }, store, now, (named) => {
      assertOwnAgent({ agentIds }, named.agent_id ?? null);
      return missing(named);
    });
  };
  const record = await create(context, { author, created_by, reader, fill });
  return { record, ignored };
}

/** Creates the campaign from another one of the account. It counts as an upload until it is created. */
export function cloneCampaign(context: Context, order: CloneOrder): Promise<CampaignRecord> {
  const { env, name, store, now } = context;
  const { author, created_by, reader, original } = order;
  const source = campaignObject(env, name.account, original.id);
  const fill: Creation["fill"] = (missing) => cloneInto(store, source, order, missing, now);
  return create(context, { author, created_by, reader, fill });
}

/** Begins the campaign and fills it. If that fails, nothing is left behind. */
function create(context: Context, { author, created_by, reader, fill }: Creation): Promise<CampaignRecord> {
  const { claims, guard, name, store, accountStore, outbox, wake, report, now } = context;
  return claims.uploading(reader, async (revoked) => {
    const created_at = now();
    const settings = JSON.stringify(withDefaults({}, ""));
    beginImport(store, { account: name.account, id: name.id, settings, created_at, created_by }, author);
    return guard.while("importing", async () => {
      try {
        await wake(created_at + IMPORT_WATCH_MS);
        await outbox.push("d1");
        await fill((named) => missingReference(accountStore, named), revoked);
        return await publish(context);
      } catch (error) {
        if (store.campaign.row === null) throw conflict("campaign_deleted", DELETED_MEANWHILE);
        await abandon(context).catch(async (failure: unknown) => {
          report(failure);
          await wake(now() + ERASE_AGAIN_MS);
        });
        throw error;
      }
    });
  });
}
