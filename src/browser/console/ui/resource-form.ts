import { useNavigate } from "@solidjs/router";
import { invalidate, type QueryContext } from "../api/queries.ts";
import { storedBy } from "../api/use-query.ts";
import { common } from "../texts/index.ts";
import { createForm } from "./form.ts";
import { notify } from "./toast.tsx";

interface Options<Resource extends { id: string }, Values extends object> {
  /** The stored resource; undefined for a new one. */
  of: Resource | undefined;
  /** Query that reads it again after someone else has changed it. */
  query: (id: string) => {
    queryKey: readonly unknown[];
    queryFn: (context: QueryContext) => Promise<Resource>;
  };
  /** Returns the values that the form edits. */
  values: (stored: Resource) => Values;
  empty: Values;
  create: (values: Values) => Promise<Resource>;
  /** Sends `values`, which were `before` when the user began, with these headers. */
  update: (id: string, values: Values, before: Values, headers: Record<string, string>) => Promise<Resource>;
  /** The list's address. A new resource is opened below it. */
  list: string;
  /** The collection that is refetched after saving. */
  collection: string;
  /** The notice after saving, if it isn't "Saved". */
  saved?: string;
}

/** Creates the form of a resource. It changes a stored one, or creates one and opens it. */
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
