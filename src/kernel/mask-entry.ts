import type { AuditChanges } from "./db/schema/accounts.ts";
import { MASKED_VISITOR, type NumberMask } from "./mask-number.ts";

/**
 * A person to mask in the audit log: a number that occurs in any field, or a visitor who is the resource of an entry.
 */
export interface AuditedPerson {
  mask: NumberMask | null;
  visitor: string | null;
}

/** The fields of an entry that may name a person. */
export interface NamingEntry {
  resource: string;
  resource_id: string;
  resource_name: string | null;
  changes: AuditChanges | null;
}

/** Returns the masked fields of an entry, or null if it does not name the person. Author, action and time are kept. */
export function maskedEntry(
  { resource, resource_id, resource_name, changes }: NamingEntry,
  { mask, visitor }: AuditedPerson,
): Omit<NamingEntry, "resource"> | null {
  const isVisitor = visitor !== null && resource === VISITOR_TOKEN && resource_id === visitor;
  const masked = {
    resource_id: isVisitor ? MASKED_VISITOR : (mask?.text(resource_id) ?? resource_id),
    resource_name: resource_name && (mask?.text(resource_name) ?? resource_name),
    changes: (mask ? mask.json(changes) : changes) as AuditChanges | null,
  };
  return JSON.stringify(masked) === JSON.stringify({ resource_id, resource_name, changes }) ? null : masked;
}

/** The kind of resource whose id is the visitor's. */
const VISITOR_TOKEN = "visitor_token";
