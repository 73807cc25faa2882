/** The name of each bucket's binding. */
export type BucketBinding = { [Name in keyof Env]: Env[Name] extends R2Bucket ? Name : never }[keyof Env];

/** Every bucket, with what its keys of an account begin with. One without an entry does not compile. */
export const ACCOUNT_BUCKETS: Readonly<Record<BucketBinding, (account: string) => string>> = {
  RECORDINGS: (account) => `${account}/`,
  CONVERSATIONS: (account) => `${account}/`,
};
