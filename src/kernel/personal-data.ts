/**
 * How a store finds a person: by one of the three things an erasure names, or by what those lead to: a call's id, a
 * campaign's contact, or any text that contains the number.
 */
export type Handle = "phone_number" | "visitor_id" | "conversation_id" | "call_id" | "contact" | "text";

/** How a person is found in a table or bucket and what an erasure does there; or why it holds no person. */
export type PersonalData =
  | {
      readonly by: readonly Handle[];
      /** The columns that identify the person, or hold what they said or entered. */
      readonly columns?: readonly string[];
      /** Such columns in which rows about others may mention the number too. */
      readonly mentions?: readonly string[];
      readonly erasure: "delete" | "mask" | "hash";
    }
  | { readonly nobody: string };

/** A bucket: its keys lead to the rows that name it. */
export interface PersonalBucket {
  readonly by: readonly Handle[];
  /** How the person's objects are found. */
  readonly found: string;
  readonly erasure: "delete";
}

/** Whom an erasure is about. */
export type Subject = { phone_number: string } | { visitor_id: string } | { conversation_id: string };
