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
      description:
        "Its number, counted from 1 for each agent; null for what is saved and live but was used by nobody yet.",
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
    live: z.boolean().openapi({ description: "Whether new conversations take it.", example: true }),
  })
  .openapi("AgentVersion");

const enabled = z.boolean().openapi({ description: "Whether conversations may use the tool.", example: true });
const config = z.record(z.string(), z.unknown()).openapi({
  description: "Settings of the tool for this agent only.",
  example: { calendar: "front-desk" },
});
const content = named(
  "AgentContent",
  "All that a version of an agent has.",
  versionedFields.extend({
    tools: z
      .array(toolFields.extend({ id: idOf("tool", "The tool's id; it may be deleted by now."), enabled, config }))
      .openapi({ description: "Its tools as they were, in their order." }),
    playbooks: z
      .array(playbookFields.extend({ id: idOf("playbook", "The playbook's id; it may be deleted by now.") }))
      .openapi({ description: "Its playbooks with their texts as they were, in their order." }),
    faqs: z
      .array(faqFields.extend({ id: idOf("faq", "The FAQ's id; it may be deleted by now.") }))
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
      .openapi({ description: "Its documents as they were attached; those deleted since are not found any more." }),
    left_out: leftOut.openapi({
      description: "Those of its playbooks and FAQs that conversations go without because they do not fit.",
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
    "A version is made when a content is first used or published. Under `auto` versioning, what is saved and nobody has " +
    "used comes first, with `number` null.",
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
  summary: "Get a version of an agent, whole",
  description: "With the texts of its FAQs and playbooks and its tools as they were.",
  params: numbered,
  status: 200,
  response: version
    .extend({ number, agent: content.openapi({ description: "The complete agent as it was." }) })
    .openapi("WholeAgentVersion"),
  errors: { 404: "unknown agent or version" },
});

const side = (which: string) =>
  z.union([digits.pipe(z.number().min(1)), z.literal("draft")]).openapi({
    type: "string",
    description: `The ${which} version: its number, or \`draft\` for what is saved.`,
    example: which === "earlier" ? "3" : "draft",
  });

export const diffVersions = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/agents/{id}/versions/{from}/diff/{to}",
  scope: ["read"],
  operationId: "diffAgentVersions",
  summary: "Get what differs between two versions of an agent",
  description:
    "By fields: those of the agent (`system_prompt`), those of what it has (`faqs.opening_hours.content`), a whole FAQ, " +
    "playbook or tool that one of them lacks (`tools.book_appointment`), and the order of a kind (`faqs`).",
  params: params.extend({ from: side("earlier"), to: side("later") }),
  status: 200,
  response: z.object({
    changes: z
      .array(
        z
          .object({
            field: z.string().openapi({ description: "What differs.", example: "system_prompt" }),
            old: z.unknown().openapi({
              description: "What it is in the first version; null for nothing.",
              example: "You answer the phone.",
            }),
            new: z.unknown().openapi({
              description: "What it is in the second; null for nothing.",
              example: "You answer the phone at Acme Dental.",
            }),
          })
          .openapi("AgentVersionChange"),
      )
      .openapi({ description: "What differs; empty where both are the same." }),
  }),
  errors: { 404: "unknown agent or version" },
});

const WIDENS =
  "Where it changes what conversations may do, more scopes are required: `dial` if transfer targets change, `manage` if " +
  "more is stored or less redacted, `listen` if a tool that sends words out comes back, and `connect` too if it names an integration.";

export const publishAgent = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/agents/{id}/publish",
  scope: ["build"],
  operationId: "publishAgent",
  summary: "Publish what is saved of an agent, or one of its versions",
  description:
    "From then on conversations take it; under `auto` versioning they do already, and this gives it a name. With " +
    "`version`, that version becomes the live one and what is saved stays as it is. A draft agent becomes active. What " +
    `is published already is given as it is. ${WIDENS}`,
  params,
  bodyOptional: true,
  body: z.object({
    version: z.number().int().min(1).optional().openapi({
      description: "The number of the version to publish, under `manual` versioning. Default: what is saved.",
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
        "Whether to publish it although required tests do not pass, which the audit log records (`publish_forced`).",
      example: false,
    }),
  }),
  revised: true,
  status: 200,
  response: version.extend({ number }).openapi("PublishedAgentVersion"),
  errors: {
    404: "unknown agent or version",
    409:
      "`changing`: others change the agent at the same time; `versioning_auto`: a version under `auto` versioning; under " +
      "`manual` versioning `tests_failed` and `tests_not_run`, " +
      "where a required test of the agent does not pass on exactly this content, by its last run, or was not run on it",
  },
});

export const restoreVersion = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/agents/{id}/versions/{number}/restore",
  scope: ["build"],
  operationId: "restoreAgentVersion",
  summary: "Make an earlier version what is saved of an agent again",
  description:
    "Its fields, and what it had of FAQs, playbooks and tools in their order. What was edited since is held for this agent " +
    "at the text of the version, until it is attached again or detached; what was deleted is created again under its id. " +
    `Under \`auto\` versioning it is live with that, under \`manual\` with publishAgent. ${WIDENS}`,
  params: numbered,
  revised: true,
  status: 200,
  response: agent,
  errors: {
    404: "unknown agent or version",
    409: "`name_taken`: something that was deleted would come back, and another has its name; `changing`: others change the agent at the same time",
  },
});
