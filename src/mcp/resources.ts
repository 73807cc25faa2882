import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { z } from "zod";
import { seesContent } from "../kernel/scopes.ts";
import { readGuides } from "./guides.ts";
import { cut, OF_STRANGERS } from "./result.ts";
import type { McpContext } from "./tool.ts";

/** The maximum length of a transcript that is returned at once, characters. */
const MAX_CHARS = 60_000;
const GUIDE = "switchboard://guides/";
const conversations = z.object({
  conversations: z.array(z.object({ id: z.string(), kind: z.string(), started_at: z.string() })),
});

/** Registers the guides for all keys, and transcripts for keys with the scope `listen`. */
export function registerResources(server: McpServer, context: McpContext): void {
  const guides = new ResourceTemplate(`${GUIDE}{+name}`, {
    list: async () => ({
      resources: (await readGuides(context)).map(({ name, title, summary }) => ({
        uri: GUIDE + name,
        name,
        title,
        description: summary,
        mimeType: "text/markdown",
      })),
    }),
  });
  const about = { title: "Guides", description: "The documentation of Switchboard.", mimeType: "text/markdown" };
  server.registerResource("guides", guides, about, async (uri, { name }) => {
    const guide = (await readGuides(context)).find((one) => one.name === name);
    if (!guide) throw new Error(`there is no guide ${cut(String(name), 80)}`);
    return { contents: [{ uri: uri.href, mimeType: "text/markdown", text: guide.markdown }] };
  });
  if (seesContent(context.principal)) registerTranscripts(server, context);
}

function registerTranscripts(server: McpServer, { api }: McpContext): void {
  const transcripts = new ResourceTemplate("switchboard://transcripts/{id}", {
    list: async () => ({
      resources: (await api.get("/api/v1/conversations", conversations, { limit: 20 })).conversations.map(
        ({ id, kind, started_at }) => ({
          uri: `switchboard://transcripts/${id}`,
          name: id,
          title: `${kind} of ${started_at}`,
          mimeType: "text/plain",
        }),
      ),
    }),
  });
  const about = { title: "Transcripts", description: "The transcript of a conversation.", mimeType: "text/plain" };
  server.registerResource("transcripts", transcripts, about, async (uri, { id }) => {
    const text = await api.text(`/api/v1/conversations/${encodeURIComponent(String(id))}/transcript`);
    return {
      contents: [{ uri: uri.href, mimeType: "text/plain", text: `${OF_STRANGERS}\n\n${cut(text, MAX_CHARS)}` }],
    };
  });
}
