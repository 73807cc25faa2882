/**
 * How a store finds a person: by one of the three identifiers that an erasure names, or by what these lead to, which is
 * a call's id, a campaign's contact, or any text that contains the number.
 */
export type Handle = "phone_number" | "visitor_id" | "conversation_id" | "call_id" | "contact" | "text";

/** How a table or bucket finds a person and what an erasure does there, or why it has no personal data. */
export type PersonalData =
  | {
      readonly by: readonly Handle[];
      /** The columns that identify the person, or contain what they said or entered. */
      readonly columns?: readonly string[];
      /** The columns in which rows about other people may mention the number. */
      readonly mentions?: readonly string[];
      readonly erasure: "delete" | "mask" | "hash";
    }
  | { readonly nobody: string };

/** A bucket with personal data. The rows found by `by` contain its keys. */
export interface PersonalBucket {
  readonly by: readonly Handle[];
  /** A description of how the person's files are found. */
  readonly found: string;
  readonly erasure: "delete";
}

export type Subject = { phone_number: string } | { visitor_id: string } | { conversation_id: string };
