import styles from "./knowledge.module.css";
import { FaqsOfAgent, PlaybooksOfAgent } from "./texts-of-agent.tsx";
import { ToolsOfAgent } from "./tools-of-agent.tsx";

/** What the agent can do, how it goes about it, and what it answers from. */
export default function Knowledge() {
  return (
    <div class={styles.knowledge}>
      <ToolsOfAgent />
      <PlaybooksOfAgent />
      <FaqsOfAgent />
    </div>
  );
}
