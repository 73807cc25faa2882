import { useNavigate } from "@solidjs/router";
import { invalidate, type QueryContext, storedBy } from "../api/queries.ts";
import { common } from "../texts/index.ts";
import { createForm } from "./form.ts";
import { notify } from "./toast.tsx";

interface Options<Resource extends { id: string }, Values extends object> {
  /** The stored one; undefined for a new one. */
  of: Resource | undefined;
  /** How it is read again, after somebody else has changed it. */
  query: (id: string) => {
    queryKey: readonly unknown[];
    queryFn: (context: QueryContext) => Promise<Resource>;
  };
  /** What the form edits of it. */
  values: (stored: Resource) => Values;
  /** What the form of a new one begins with. */
  empty: Values;
  create: (values: Values) => Promise<Resource>;
  /** Sends what was entered, which began as `before`, under these headers. */
  update: (id: string, values: Values, before: Values, headers: Record<string, string>) => Promise<Resource>;
  /** The list's address; a new one is opened below it. */
  list: string;
  /** What is read again once it is saved. */
  collection: string;
  /** Says that it is saved, where that is more than "Saved". */
  saved?: string;
}

/** The form of a resource: it changes a stored one, or creates one and opens it. */
export function createResourceForm<Resource extends { id: string }, Values extends object>(
  options: Options<Resource, Values>,
) {
  const navigate = useNavigate();
  const { of, values, collection } = options;
  if (of)
    return createForm<Values>({
      initial: values(of),
      stored: storedBy(of, options.query(of.id), values),
      save: async (entered, before, headers) => {
        const saved = await options.update(of.id, entered, before, headers);
        await invalidate(collection);
        notify(options.saved ?? common.saved);
        return saved;
      },
    });
  const form = createForm<Values>({
    initial: options.empty,
    save: async (entered) => {
      const { id } = await options.create(entered);
      await invalidate(collection);
      form.reset();
      navigate(`${options.list}/${id}`);
    },
  });
  return form;
}
