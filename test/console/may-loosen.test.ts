import { describe, expect, it } from "vitest";
import { scopesToChange } from "../../src/agent/versions/may-change.ts";
import { mayChooseStorage, mayDropKind } from "../../src/browser/console/screens/agents/settings/may-loosen.ts";
import { NO_ANALYSIS } from "../../src/kernel/db/schema/index.ts";

const STORAGES = ["all", "redacted", "metadata"] as const;
const LISTS = [[], ["card"], ["card", "iban"]] as const;

/** Checks whether the service refuses the change without `manage`. */
function needsManage(before: Stored, after: Stored): boolean {
  const authority = (fields: Stored) => ({
    fields: { ...fields, transfer_targets: [], llm_model: "gpt-4o", fallback_model: null, analysis: NO_ANALYSIS },
    tools: [],
  });
  return scopesToChange(authority(before), authority(after)).includes("manage");
}

interface Stored {
  storage: (typeof STORAGES)[number];
  redact: ("card" | "iban")[];
}
const stored = STORAGES.flatMap((storage) => LISTS.map((redact): Stored => ({ storage, redact: [...redact] })));

describe("the storage choices without the scope manage", () => {
  it("omit exactly those that the service would refuse", () => {
    for (const before of stored)
      for (const storage of STORAGES) {
        const isRefused = needsManage(before, { storage, redact: before.redact });
        expect([before, storage, mayChooseStorage(before, storage)]).toEqual([before, storage, !isRefused]);
      }
  });

  it("let exactly those kinds be dropped that the service allows", () => {
    for (const before of stored.filter(({ storage }) => storage !== "metadata"))
      for (const kind of ["card", "iban"] as const) {
        const after = { storage: "redacted", redact: before.redact.filter((one) => one !== kind) } as const;
        expect([before, kind, mayDropKind(before, kind)]).toEqual([before, kind, !needsManage(before, after)]);
      }
  });
});
