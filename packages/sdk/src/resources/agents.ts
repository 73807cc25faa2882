import type { List } from "../pages.ts";
import { Resource, withParams } from "../resource.ts";
import type { Answer, CallOptions, Query, Schema } from "../types.ts";

/** The voice agents of the account, and what they know. */
export class Agents extends Resource {
  /** All agents, newest first. */
  list(query?: Query<"/api/v1/agents">, options?: CallOptions): List<Schema<"Agent">, Answer<"GET", "/api/v1/agents">> {
    return this.listOf("/api/v1/agents", (page) => page, { query, options });
  }

  get(id: string, options?: CallOptions): Promise<Schema<"Agent">> {
    return this.call("GET", "/api/v1/agents/{id}", withParams(options, { params: { path: { id } } }));
  }

  create(body: Schema<"CreateAgentRequest">, options?: CallOptions): Promise<Schema<"Agent">> {
    return this.call("POST", "/api/v1/agents", withParams(options, { body }));
  }

  update(id: string, body: Schema<"UpdateAgentRequest">, options?: CallOptions): Promise<Schema<"Agent">> {
    return this.call("PATCH", "/api/v1/agents/{id}", withParams(options, { params: { path: { id } }, body }));
  }

  delete(id: string, options?: CallOptions): Promise<undefined> {
    return this.call("DELETE", "/api/v1/agents/{id}", withParams(options, { params: { path: { id } } }));
  }

  /** The versions of an agent's system prompt. */
  prompts(
    id: string,
    query?: Query<"/api/v1/agents/{id}/prompts">,
    options?: CallOptions,
  ): List<Schema<"AgentPrompt">, Answer<"GET", "/api/v1/agents/{id}/prompts">> {
    return this.listOf("/api/v1/agents/{id}/prompts", (page) => page.prompts, { path: { id }, query, options });
  }

  activatePrompt(id: string, promptId: string, options?: CallOptions): Promise<Schema<"Agent">> {
    return this.call(
      "POST",
      "/api/v1/agents/{id}/prompts/{promptId}/activate",
      withParams(options, { params: { path: { id, promptId } } }),
    );
  }

  /** The versions of an agent, newest first. */
  versions(
    id: string,
    query?: Query<"/api/v1/agents/{id}/versions">,
    options?: CallOptions,
  ): List<Schema<"AgentVersion">, Answer<"GET", "/api/v1/agents/{id}/versions">> {
    return this.listOf("/api/v1/agents/{id}/versions", (page) => page.versions, { path: { id }, query, options });
  }

  /** A version with the whole of the agent as it was. */
  version(
    id: string,
    number: number,
    options?: CallOptions,
  ): Promise<Answer<"GET", "/api/v1/agents/{id}/versions/{number}">> {
    const params = { path: { id, number } };
    return this.call("GET", "/api/v1/agents/{id}/versions/{number}", withParams(options, { params }));
  }

  /** Publishes what is saved, or the version that `version` numbers. */
  publish(
    id: string,
    body: Schema<"PublishAgentRequest"> = {},
    options?: CallOptions,
  ): Promise<Schema<"PublishedAgentVersion">> {
    return this.call("POST", "/api/v1/agents/{id}/publish", withParams(options, { params: { path: { id } }, body }));
  }

  /** Makes a version what is saved again. */
  restoreVersion(id: string, number: number, options?: CallOptions): Promise<Schema<"Agent">> {
    const params = { path: { id, number } };
    return this.call("POST", "/api/v1/agents/{id}/versions/{number}/restore", withParams(options, { params }));
  }

  attachFaq(id: string, body: Schema<"AttachAgentFaqRequest">, options?: CallOptions): Promise<Schema<"Agent">> {
    return this.call("POST", "/api/v1/agents/{id}/faqs", withParams(options, { params: { path: { id } }, body }));
  }

  detachFaq(id: string, faqId: string, options?: CallOptions): Promise<undefined> {
    return this.call(
      "DELETE",
      "/api/v1/agents/{id}/faqs/{faqId}",
      withParams(options, { params: { path: { id, faqId } } }),
    );
  }

  attachPlaybook(
    id: string,
    body: Schema<"AttachAgentPlaybookRequest">,
    options?: CallOptions,
  ): Promise<Schema<"Agent">> {
    return this.call("POST", "/api/v1/agents/{id}/playbooks", withParams(options, { params: { path: { id } }, body }));
  }

  detachPlaybook(id: string, playbookId: string, options?: CallOptions): Promise<undefined> {
    return this.call(
      "DELETE",
      "/api/v1/agents/{id}/playbooks/{playbookId}",
      withParams(options, { params: { path: { id, playbookId } } }),
    );
  }

  /** The tools that an agent may use. */
  tools(
    id: string,
    query?: Query<"/api/v1/agents/{id}/tools">,
    options?: CallOptions,
  ): List<Schema<"AgentTool">, Answer<"GET", "/api/v1/agents/{id}/tools">> {
    return this.listOf("/api/v1/agents/{id}/tools", (page) => page.tools, { path: { id }, query, options });
  }

  setTool(id: string, body: Schema<"AgentToolRequest">, options?: CallOptions): Promise<Schema<"AgentTool">> {
    return this.call("PUT", "/api/v1/agents/{id}/tools", withParams(options, { params: { path: { id } }, body }));
  }

  removeTool(id: string, toolName: string, options?: CallOptions): Promise<undefined> {
    return this.call(
      "DELETE",
      "/api/v1/agents/{id}/tools/{toolName}",
      withParams(options, { params: { path: { id, toolName } } }),
    );
  }

  order(id: string, body: Schema<"AgentOrder">, options?: CallOptions): Promise<Schema<"Agent">> {
    return this.call("POST", "/api/v1/agents/{id}/order", withParams(options, { params: { path: { id } }, body }));
  }

  session(
    id: string,
    body: Schema<"CreateAgentSessionRequest">,
    options?: CallOptions,
  ): Promise<Schema<"AgentSession">> {
    return this.call("POST", "/api/v1/agents/{id}/session", withParams(options, { params: { path: { id } }, body }));
  }

  widgetSettings(id: string, options?: CallOptions): Promise<Schema<"AgentWidgetSettings">> {
    return this.call("GET", "/api/v1/agents/{id}/widget-settings", withParams(options, { params: { path: { id } } }));
  }

  updateWidgetSettings(
    id: string,
    body: Schema<"UpdateAgentWidgetSettingsRequest">,
    options?: CallOptions,
  ): Promise<Schema<"AgentWidgetSettings">> {
    return this.call(
      "PATCH",
      "/api/v1/agents/{id}/widget-settings",
      withParams(options, { params: { path: { id } }, body }),
    );
  }
}
