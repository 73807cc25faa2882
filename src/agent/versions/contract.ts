import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { EXAMPLE_IDS, idOf } from "../../kernel/http/example-ids.ts";
import { digits, plainText, timestamp } from "../../kernel/http/fields.ts";
import { named } from "../../kernel/http/named-schemas.ts";
import { listOf, paging } from "../../kernel/http/paging.ts";
import { agent, agentDocument, agentId, leftOut, versionedFields } from "../agents/contract.ts";
import { faqFields, playbookFields } from "../item-fields.ts";
import { toolFields } from "../tools/contract.ts";

const slice = { access: "account", tag: "Agents", ofAgents: "path" } as const;
const params = z.object({ id: agentId });

const MAX_NOTE_CHARS = 500;

const number = z.number().int().openapi({ description: "Its number, counted from 1 for each agent.", example: 3 });
const version = z
  .object({
    number: number.nullable().openapi({
      description: "Its number, counted from 1 for each agent; null for a live draft that was not used yet.",
    }),
    hash: z.string().openapi({
      description: "SHA-256 of its whole content, hexadecimal: the same content is the same version.",
      example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    }),
    note: z.string().nullable().openapi({
      description: "The note given when it was published; null for none.",
      example: "Offers appointments on Saturdays",
    }),
    created_at: timestamp
      .nullable()
      .openapi({ description: "When it was first used or published (UTC); null before." }),
    published_at: timestamp.nullable().openapi({
      description: "When it was last published (UTC); null if it never was.",
    }),
    published_by: z
      .string()
      .nullable()
      .openapi({
        description: "Who published it, `api_key:<id>` or `console:<user id>`; null if nobody did.",
        example: `console:${EXAMPLE_IDS.user}`,
      }),
    live: z.boolean().openapi({ description: "Whether new conversations use this version.", example: true }),
  })
  .openapi("AgentVersion");

const enabled = z.boolean().openapi({ description: "Whether conversations may use the tool.", example: true });
const config = z.record(z.string(), z.unknown()).openapi({
  description: "Settings of the tool for this agent only.",
  example: { calendar: "front-desk" },
});
const content = named(
  "AgentContent",
  "The content of a version of an agent.",
  versionedFields.extend({
    tools: z
      .array(toolFields.extend({ id: idOf("tool", "The tool's id; it may have been deleted since."), enabled, config }))
      .openapi({ description: "Its tools as they were, in their order." }),
    playbooks: z
      .array(playbookFields.extend({ id: idOf("playbook", "The playbook's id; it may have been deleted since.") }))
      .openapi({ description: "Its playbooks with their texts as they were, in their order." }),
    faqs: z
      .array(faqFields.extend({ id: idOf("faq", "The FAQ's id; it may have been deleted since.") }))
      .openapi({ description: "Its FAQs with their texts as they were, in their order." }),
    knowledge: z
      .array(
        agentDocument.omit({ status: true }).extend({
          sha256: z.string().openapi({
            description: "SHA-256 of the document's original, hexadecimal.",
            example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
          }),
          text_sha256: z.string().nullable().openapi({
            description:
              "SHA-256 of the text that the version was created with, hexadecimal; null if none had been read yet.",
            example: "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752",
          }),
        }),
      )
      .openapi({
        description: "Its documents as they were attached. Documents that were deleted since are no longer found.",
      }),
    left_out: leftOut.openapi({
      description: "The playbooks and FAQs that conversations don't get because they do not fit.",
    }),
  }),
);

export const listVersions = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/agents/{id}/versions",
  scope: ["read"],
  operationId: "listAgentVersions",
  summary: "List the versions of an agent, newest first",
  description:
    "A version is created when its content is first used or published. Under `auto` versioning, a draft that has " +
    "not been used yet comes first, with `number` null.",
  params,
  query: z.object(paging({ max: 100, default: 50 })),
  status: 200,
  response: listOf("versions", version),
  errors: { 404: "unknown agent" },
});

const numbered = params.extend({
  number: digits.pipe(z.number().min(1)).openapi({
    type: "integer",
    description: "The number of the version, as listAgentVersions gives it.",
    example: 3,
  }),
});

export const getVersion = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/agents/{id}/versions/{number}",
  scope: ["read"],
  operationId: "getAgentVersion",
  summary: "Get the complete content of a version of an agent",
  description: "Returns the version with its tools, and with the texts of its FAQs and playbooks at that time.",
  params: numbered,
  status: 200,
  response: version
    .extend({ number, agent: content.openapi({ description: "The complete content of the agent in this version." }) })
    .openapi("WholeAgentVersion"),
  errors: { 404: "unknown agent or version" },
});

const side = (which: string) =>
  z.union([digits.pipe(z.number().min(1)), z.literal("draft")]).openapi({
    type: "string",
    description: `The ${which} version: its number, or \`draft\` for the current draft.`,
    example: which === "earlier" ? "3" : "draft",
  });

export const diffVersions = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/agents/{id}/versions/{from}/diff/{to}",
  scope: ["read"],
  operationId: "diffAgentVersions",
  summary: "Compare two versions of an agent",
  description:
    "Lists the fields that differ: fields of the agent (`system_prompt`), fields of its items " +
    "(`faqs.opening_hours.content`), a whole FAQ, playbook or tool that one version lacks " +
    "(`tools.book_appointment`), and the order of a kind (`faqs`).",
  params: params.extend({ from: side("earlier"), to: side("later") }),
  status: 200,
  response: z.object({
    changes: z
      .array(
        z
          .object({
            field: z.string().openapi({ description: "What differs.", example: "system_prompt" }),
            old: z.unknown().openapi({
              description: "The value in the first version; null if there is none.",
              example: "You answer the phone.",
            }),
            new: z.unknown().openapi({
              description: "The value in the second version; null if there is none.",
              example: "You answer the phone at Acme Dental.",
            }),
          })
          .openapi("AgentVersionChange"),
      )
      .openapi({ description: "The differences; empty if both are the same." }),
  }),
  errors: { 404: "unknown agent or version" },
});

const WIDENS =
  "If this changes what conversations may do, it requires more scopes: `dial` if transfer targets change, " +
  "`manage` if more is stored or less redacted, `listen` if a tool that sends words elsewhere is added, and " +
  "also `connect` if the tool names an integration.";

export const publishAgent = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/agents/{id}/publish",
  scope: ["build"],
  operationId: "publishAgent",
  summary: "Publish an agent's draft, or one of its versions",
  description:
    "Conversations use the published version from then on. Under `auto` versioning they already use it, and " +
    "publishing only names it. With `version`, that version becomes live and the draft does not change. An agent " +
    "with the status draft becomes active. If the content is already published, the response contains that " +
    `version. ${WIDENS}`,
  params,
  bodyOptional: true,
  body: z.object({
    version: z.number().int().min(1).optional().openapi({
      description: "The number of the version to publish, under `manual` versioning. Default: the draft.",
      example: 3,
    }),
    note: plainText
      .trim()
      .max(MAX_NOTE_CHARS)
      .optional()
      .openapi({
        description: `A note about it, up to ${MAX_NOTE_CHARS} characters.`,
        example: "Offers appointments on Saturdays",
      }),
    force: z.boolean().default(false).openapi({
      description:
        "Whether to publish it even if required tests have not passed, which the audit log records (`publish_forced`).",
      example: false,
    }),
  }),
  revised: true,
  status: 200,
  response: version.extend({ number }).openapi("PublishedAgentVersion"),
  errors: {
    404: "unknown agent or version",
    409:
      "`changing`: the agent is being changed by another request; `versioning_auto`: a version under `auto` " +
      "versioning; under `manual` versioning `tests_failed` and `tests_not_run`, if the last run of a required " +
      "test failed on exactly this content, or there is no such run",
  },
});

export const restoreVersion = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/agents/{id}/versions/{number}/restore",
  scope: ["build"],
  operationId: "restoreAgentVersion",
  summary: "Restore an earlier version of an agent as its draft",
  description:
    "Restores the fields of the version, and its FAQs, playbooks and tools in their order. Items that were " +
    "edited since keep the version's text for this agent until you attach them again or detach them; deleted " +
    "items are created again with their id. Under `auto` versioning the result is live at once, under `manual` " +
    `after publishAgent. ${WIDENS}`,
  params: numbered,
  revised: true,
  status: 200,
  response: agent,
  errors: {
    404: "unknown agent or version",
    409:
      "`name_taken`: a deleted item would be created again, but another item has its name; `changing`: others " +
      "change the agent at the same time",
  },
});
