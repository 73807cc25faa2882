import { type Content, type OpenApi, type Operation, type Parameter, resolve } from "./document.ts";
import { type Break, type Direction, schemaBreaks } from "./schema-breaks.ts";

/** Finds the changes from `before` to `after` that break clients. Each is listed once. */
export function breaksBetween(before: OpenApi, after: OpenApi): Break[] {
  const compare = schemaBreaks(before, after);

  function operationBreaks(subject: string, old: Operation, now: Operation): Break[] {
    const changes: string[] = [];
    if (old.operationId !== now.operationId) changes.push(`has the operation id ${now.operationId}, was ${subject}`);
    const scopes = now["x-scope"]?.filter((scope) => !old["x-scope"]?.includes(scope)) ?? [];
    if (scopes.length > 0) changes.push(`requires the scope ${scopes.join(", ")}`);
    changes.push(...namedScopeChanges(old, now), ...securityChanges(old, now));
    return [
      ...changes.map((change) => ({ subject, change })),
      ...parameterBreaks(subject, old, now),
      ...bodyBreaks(subject, old, now),
      ...answerBreaks(subject, old, now),
    ];
  }

  function parameterBreaks(subject: string, old: Operation, now: Operation): Break[] {
    const [olds, nows] = [parametersOf(before, old), parametersOf(after, now)];
    const found: Break[] = [];
    for (const [name, parameter] of olds) {
      const successor = nows.get(name);
      if (!successor) found.push({ subject, change: `${name} is removed` });
      else if (parameter.schema && successor.schema) {
        found.push(...compare(parameter.schema, successor.schema, "sent", { subject, path: name }));
      }
    }
    for (const [name, { required }] of nows) {
      if (required && !olds.get(name)?.required) found.push({ subject, change: `${name} is required` });
    }
    return found;
  }

  function bodyBreaks(subject: string, old: Operation, now: Operation): Break[] {
    const body = old.requestBody && resolve(before, old.requestBody);
    const successor = now.requestBody && resolve(after, now.requestBody);
    const found: Break[] = [];
    if (successor?.required && !body?.required) found.push({ subject, change: "requires a body" });
    if (body) found.push(...contentBreaks(subject, "body", body.content, successor?.content, "sent"));
    return found;
  }

  function answerBreaks(subject: string, old: Operation, now: Operation): Break[] {
    const [olds, nows] = [old.responses ?? {}, now.responses ?? {}];
    const found: Break[] = [];
    for (const status of Object.keys(nows)) {
      // Only a client that sends If-None-Match gets a 304.
      if (isSuccess(status) && status !== "304" && !olds[status])
        found.push({ subject, change: `may respond with ${status}` });
    }
    for (const [status, reference] of Object.entries(olds)) {
      const response = resolve(before, reference);
      const successor = nows[status] && resolve(after, nows[status]);
      if (!successor) {
        // Removing an error breaks no client.
        if (isSuccess(status)) found.push({ subject, change: `no longer responds with ${status}` });
        continue;
      }
      const lost = Object.keys(response.headers ?? {}).filter((name) => !successor.headers?.[name]);
      found.push(...lost.map((name) => ({ subject, change: `${status} no longer has the header ${name}` })));
      found.push(...contentBreaks(subject, status, response.content, successor.content, "received"));
    }
    return found;
  }

  function contentBreaks(
    subject: string,
    path: string,
    olds: Content = {},
    nows: Content = {},
    direction: Direction,
  ): Break[] {
    return Object.entries(olds).flatMap(([type, { schema }]) => {
      const successor = nows[type];
      if (!successor) return [{ subject, change: `${path} is no longer ${type}` }];
      return schema ? compare(schema, successor.schema ?? {}, direction, { subject, path }) : [];
    });
  }

  const found = operationsOf(before.paths).flatMap(([address, old]) => {
    const subject = old.operationId ?? address;
    const now = operationIn(after.paths, address);
    return now ? operationBreaks(subject, old, now) : [{ subject, change: `is removed (${address})` }];
  });
  const events = operationsOf(before.webhooks ?? {}).flatMap(([address, old]) => {
    const subject = old.operationId ?? address;
    const now = operationIn(after.webhooks ?? {}, address);
    if (!now?.requestBody) return [{ subject, change: `is removed (${address})` }];
    const body = old.requestBody && resolve(before, old.requestBody);
    const { content } = resolve(after, now.requestBody);
    return contentBreaks(subject, "event", body?.content, content, "received");
  });
  return [...new Map([...found, ...events].map((each) => [`${each.subject} ${each.change}`, each])).values()];
}

function operationsOf(paths: OpenApi["paths"]): [string, Operation][] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): [string, Operation] => [`${method} ${path}`, operation]),
  );
}

function operationIn(paths: OpenApi["paths"], address: string): Operation | undefined {
  const [method = "", path = ""] = address.split(" ");
  return paths[path]?.[method];
}

function parametersOf(document: OpenApi, { parameters = [] }: Operation): Map<string, Parameter> {
  const all = parameters.map((reference) => resolve<Parameter>(document, reference));
  return new Map(all.map((each) => [`${each.in} parameter ${each.name}`, each]));
}

/**
 * Finds lists of scopes that were enough for callers with named scopes but are no longer enough. A list is enough if,
 * together with the scopes required of all callers, it contains every scope of one of the current lists.
 */
function namedScopeChanges(old: Operation, now: Operation): string[] {
  const nows = now["x-scope-if-named"] ?? [];
  if (nows.length === 0) return [];
  const olds = old["x-scope-if-named"]?.length ? old["x-scope-if-named"] : [[]];
  const isEnough = (held: string[]) => nows.some((list) => list.every((scope) => held.includes(scope)));
  const refused = olds.filter((list) => !isEnough([...list, ...(old["x-scope"] ?? [])]));
  if (refused.length === 0) return [];
  return [`requires of named scopes ${nows.map((list) => list.join(" and ")).join(" or ")}`];
}

/**
 * Finds ways to authenticate that are no longer enough. A way is still enough if it needs the same schemes or fewer.
 */
function securityChanges({ security: olds = [] }: Operation, { security: nows = [] }: Operation): string[] {
  if (nows.length === 0) return [];
  const ways = olds.length === 0 ? [{}] : olds;
  return ways
    .filter((way) => !nows.some((now) => Object.keys(now).every((scheme) => scheme in way)))
    .map((way) => `no longer accepts ${Object.keys(way).join(" and ") || "requests without credentials"}`);
}

function isSuccess(status: string): boolean {
  return /^[23]/.test(status);
}
