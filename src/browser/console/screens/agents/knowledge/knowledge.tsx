import { Stack } from "../../../ui/layout.tsx";
import { DocumentsOfAgent } from "./documents-of-agent.tsx";
import { FaqsOfAgent, PlaybooksOfAgent } from "./texts-of-agent.tsx";
import { ToolsOfAgent } from "./tools-of-agent.tsx";

export default function Knowledge() {
  return (
    <Stack gap={32} max={880}>
      <ToolsOfAgent />
      <DocumentsOfAgent />
      <PlaybooksOfAgent />
      <FaqsOfAgent />
    </Stack>
  );
}
