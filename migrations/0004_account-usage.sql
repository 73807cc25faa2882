CREATE TABLE `account_usage` (
	`account` text NOT NULL,
	`name` text NOT NULL,
	`used` integer NOT NULL,
	`most` integer,
	PRIMARY KEY(`account`, `name`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `campaigns_open` ON `campaigns` (`account`,`id`) WHERE status IN ('draft', 'running', 'paused');--> statement-breakpoint
-- What each account uses of its quotas, counted by the statements that change it: an upsert fires the triggers of what it
-- does in the end, a cascade those of the rows it deletes. quota_bytes are the bytes that the account itself wrote into
-- a row, and 256 for the rest of it; what is only ever switched (a key disabled, credentials deleted) changes none, so
-- that it is possible at the limit. A sealed value counts without its key's id: sealing it anew changes nothing.
-- These columns are the triggers' own; the schema in src/db does not know them.
ALTER TABLE agents ADD quota_bytes integer GENERATED ALWAYS AS (
  256 + octet_length(name) + octet_length(description) + octet_length(voice_id) + octet_length(system_prompt) +
  octet_length(greeting_message) + coalesce(octet_length(template_id), 0)
) VIRTUAL;
--> statement-breakpoint
CREATE TRIGGER agents_quota_insert AFTER INSERT ON agents BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (NEW.account, 'agents', 1),
    (NEW.account, 'configuration_bytes', NEW.quota_bytes)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
CREATE TRIGGER agents_quota_delete AFTER DELETE ON agents BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (OLD.account, 'agents', -1),
    (OLD.account, 'configuration_bytes', -OLD.quota_bytes)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
CREATE TRIGGER agents_quota_update AFTER UPDATE ON agents
WHEN NEW.quota_bytes <> OLD.quota_bytes BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (NEW.account, 'configuration_bytes', NEW.quota_bytes - OLD.quota_bytes)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
ALTER TABLE agent_prompts ADD quota_bytes integer GENERATED ALWAYS AS (256 + octet_length(system_prompt)) VIRTUAL;
--> statement-breakpoint
CREATE TRIGGER agent_prompts_quota_insert AFTER INSERT ON agent_prompts BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (NEW.account, 'configuration_bytes', NEW.quota_bytes)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
CREATE TRIGGER agent_prompts_quota_delete AFTER DELETE ON agent_prompts BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (OLD.account, 'configuration_bytes', -OLD.quota_bytes)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
CREATE TRIGGER agent_prompts_quota_update AFTER UPDATE ON agent_prompts
WHEN NEW.quota_bytes <> OLD.quota_bytes BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (NEW.account, 'configuration_bytes', NEW.quota_bytes - OLD.quota_bytes)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
ALTER TABLE tools ADD quota_bytes integer GENERATED ALWAYS AS (
  iif(is_default = 0 OR modified_from_default = 1, 256 + octet_length(name) + octet_length(display_name) +
  octet_length(description) + octet_length(category) + octet_length(implementation_code) +
  octet_length(implementation_config) + octet_length(schema) + octet_length(tags), 0)
) VIRTUAL;
--> statement-breakpoint
ALTER TABLE tools ADD quota_count integer GENERATED ALWAYS AS (is_default = 0) VIRTUAL;
--> statement-breakpoint
CREATE TRIGGER tools_quota_insert AFTER INSERT ON tools WHEN NEW.quota_bytes > 0 BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (NEW.account, 'tools', NEW.quota_count),
    (NEW.account, 'configuration_bytes', NEW.quota_bytes)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
CREATE TRIGGER tools_quota_delete AFTER DELETE ON tools WHEN OLD.quota_bytes > 0 BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (OLD.account, 'tools', -OLD.quota_count),
    (OLD.account, 'configuration_bytes', -OLD.quota_bytes)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
CREATE TRIGGER tools_quota_update AFTER UPDATE ON tools
WHEN NEW.quota_count <> OLD.quota_count OR NEW.quota_bytes <> OLD.quota_bytes BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (NEW.account, 'tools', NEW.quota_count - OLD.quota_count),
    (NEW.account, 'configuration_bytes', NEW.quota_bytes - OLD.quota_bytes)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
ALTER TABLE playbooks ADD quota_bytes integer GENERATED ALWAYS AS (
  iif(is_default = 0 OR modified_from_default = 1, 256 + octet_length(name) + octet_length(display_name) +
  octet_length(description) + octet_length(category) + octet_length(tags) + octet_length(tool_names) +
  octet_length(triggers) + coalesce(octet_length(content), 0), 0)
) VIRTUAL;
--> statement-breakpoint
ALTER TABLE playbooks ADD quota_count integer GENERATED ALWAYS AS (is_default = 0) VIRTUAL;
--> statement-breakpoint
CREATE TRIGGER playbooks_quota_insert AFTER INSERT ON playbooks WHEN NEW.quota_bytes > 0 BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (NEW.account, 'playbooks', NEW.quota_count),
    (NEW.account, 'configuration_bytes', NEW.quota_bytes)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
CREATE TRIGGER playbooks_quota_delete AFTER DELETE ON playbooks WHEN OLD.quota_bytes > 0 BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (OLD.account, 'playbooks', -OLD.quota_count),
    (OLD.account, 'configuration_bytes', -OLD.quota_bytes)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
CREATE TRIGGER playbooks_quota_update AFTER UPDATE ON playbooks
WHEN NEW.quota_count <> OLD.quota_count OR NEW.quota_bytes <> OLD.quota_bytes BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (NEW.account, 'playbooks', NEW.quota_count - OLD.quota_count),
    (NEW.account, 'configuration_bytes', NEW.quota_bytes - OLD.quota_bytes)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
ALTER TABLE faqs ADD quota_bytes integer GENERATED ALWAYS AS (
  iif(is_default = 0 OR modified_from_default = 1, 256 + octet_length(name) + octet_length(title) +
  octet_length(summary) + octet_length(content) + octet_length(category) + octet_length(tags), 0)
) VIRTUAL;
--> statement-breakpoint
ALTER TABLE faqs ADD quota_count integer GENERATED ALWAYS AS (is_default = 0) VIRTUAL;
--> statement-breakpoint
CREATE TRIGGER faqs_quota_insert AFTER INSERT ON faqs WHEN NEW.quota_bytes > 0 BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (NEW.account, 'faqs', NEW.quota_count),
    (NEW.account, 'configuration_bytes', NEW.quota_bytes)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
CREATE TRIGGER faqs_quota_delete AFTER DELETE ON faqs WHEN OLD.quota_bytes > 0 BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (OLD.account, 'faqs', -OLD.quota_count),
    (OLD.account, 'configuration_bytes', -OLD.quota_bytes)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
CREATE TRIGGER faqs_quota_update AFTER UPDATE ON faqs
WHEN NEW.quota_count <> OLD.quota_count OR NEW.quota_bytes <> OLD.quota_bytes BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (NEW.account, 'faqs', NEW.quota_count - OLD.quota_count),
    (NEW.account, 'configuration_bytes', NEW.quota_bytes - OLD.quota_bytes)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
CREATE TRIGGER agent_faqs_quota_insert AFTER INSERT ON agent_faqs BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (NEW.account, 'configuration_bytes', 256)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
CREATE TRIGGER agent_faqs_quota_delete AFTER DELETE ON agent_faqs BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (OLD.account, 'configuration_bytes', -256)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
CREATE TRIGGER agent_playbooks_quota_insert AFTER INSERT ON agent_playbooks BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (NEW.account, 'configuration_bytes', 256)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
CREATE TRIGGER agent_playbooks_quota_delete AFTER DELETE ON agent_playbooks BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (OLD.account, 'configuration_bytes', -256)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
ALTER TABLE agent_tools ADD quota_bytes integer GENERATED ALWAYS AS (256 + octet_length(config)) VIRTUAL;
--> statement-breakpoint
CREATE TRIGGER agent_tools_quota_insert AFTER INSERT ON agent_tools BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (NEW.account, 'configuration_bytes', NEW.quota_bytes)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
CREATE TRIGGER agent_tools_quota_delete AFTER DELETE ON agent_tools BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (OLD.account, 'configuration_bytes', -OLD.quota_bytes)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
CREATE TRIGGER agent_tools_quota_update AFTER UPDATE ON agent_tools
WHEN NEW.quota_bytes <> OLD.quota_bytes BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (NEW.account, 'configuration_bytes', NEW.quota_bytes - OLD.quota_bytes)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
ALTER TABLE integration_installs ADD quota_bytes integer GENERATED ALWAYS AS (
  256 + octet_length(params) + octet_length(secret_names) + coalesce(octet_length(secrets) - instr(substr(secrets,
  4), '.'), 0)
) VIRTUAL;
--> statement-breakpoint
CREATE TRIGGER integration_installs_quota_insert AFTER INSERT ON integration_installs BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (NEW.account, 'configuration_bytes', NEW.quota_bytes)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
CREATE TRIGGER integration_installs_quota_delete AFTER DELETE ON integration_installs BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (OLD.account, 'configuration_bytes', -OLD.quota_bytes)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
CREATE TRIGGER integration_installs_quota_update AFTER UPDATE ON integration_installs
WHEN NEW.quota_bytes <> OLD.quota_bytes BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (NEW.account, 'configuration_bytes', NEW.quota_bytes - OLD.quota_bytes)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
ALTER TABLE telephony_providers ADD quota_bytes integer GENERATED ALWAYS AS (
  256 + octet_length(label) + octet_length(credential_keys) + octet_length(credentials) -
  instr(substr(credentials, 4), '.')
) VIRTUAL;
--> statement-breakpoint
ALTER TABLE telephony_providers ADD quota_count integer GENERATED ALWAYS AS (deleted_at IS NULL) VIRTUAL;
--> statement-breakpoint
CREATE TRIGGER telephony_providers_quota_insert AFTER INSERT ON telephony_providers BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (NEW.account, 'credentials', NEW.quota_count),
    (NEW.account, 'configuration_bytes', NEW.quota_bytes)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
CREATE TRIGGER telephony_providers_quota_delete AFTER DELETE ON telephony_providers BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (OLD.account, 'credentials', -OLD.quota_count),
    (OLD.account, 'configuration_bytes', -OLD.quota_bytes)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
CREATE TRIGGER telephony_providers_quota_update AFTER UPDATE ON telephony_providers
WHEN NEW.quota_count <> OLD.quota_count OR NEW.quota_bytes <> OLD.quota_bytes BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (NEW.account, 'credentials', NEW.quota_count - OLD.quota_count),
    (NEW.account, 'configuration_bytes', NEW.quota_bytes - OLD.quota_bytes)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
CREATE TRIGGER phone_numbers_quota_insert AFTER INSERT ON phone_numbers BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (NEW.account, 'numbers', 1),
    (NEW.account, 'configuration_bytes', 256)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
CREATE TRIGGER phone_numbers_quota_delete AFTER DELETE ON phone_numbers BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (OLD.account, 'numbers', -1),
    (OLD.account, 'configuration_bytes', -256)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
ALTER TABLE api_keys ADD quota_bytes integer GENERATED ALWAYS AS (256 + octet_length(name)) VIRTUAL;
--> statement-breakpoint
ALTER TABLE api_keys ADD quota_count integer GENERATED ALWAYS AS (disabled_at IS NULL) VIRTUAL;
--> statement-breakpoint
CREATE TRIGGER api_keys_quota_insert AFTER INSERT ON api_keys BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (NEW.account, 'api_keys', NEW.quota_count),
    (NEW.account, 'configuration_bytes', NEW.quota_bytes)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
CREATE TRIGGER api_keys_quota_delete AFTER DELETE ON api_keys BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (OLD.account, 'api_keys', -OLD.quota_count),
    (OLD.account, 'configuration_bytes', -OLD.quota_bytes)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
CREATE TRIGGER api_keys_quota_update AFTER UPDATE ON api_keys
WHEN NEW.quota_count <> OLD.quota_count OR NEW.quota_bytes <> OLD.quota_bytes BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (NEW.account, 'api_keys', NEW.quota_count - OLD.quota_count),
    (NEW.account, 'configuration_bytes', NEW.quota_bytes - OLD.quota_bytes)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
ALTER TABLE widget_keys ADD quota_bytes integer GENERATED ALWAYS AS (256 + octet_length(name) + octet_length(domain_allowlist)) VIRTUAL;
--> statement-breakpoint
ALTER TABLE widget_keys ADD quota_count integer GENERATED ALWAYS AS (disabled_at IS NULL) VIRTUAL;
--> statement-breakpoint
CREATE TRIGGER widget_keys_quota_insert AFTER INSERT ON widget_keys BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (NEW.account, 'widget_keys', NEW.quota_count),
    (NEW.account, 'configuration_bytes', NEW.quota_bytes)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
CREATE TRIGGER widget_keys_quota_delete AFTER DELETE ON widget_keys BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (OLD.account, 'widget_keys', -OLD.quota_count),
    (OLD.account, 'configuration_bytes', -OLD.quota_bytes)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
CREATE TRIGGER widget_keys_quota_update AFTER UPDATE ON widget_keys
WHEN NEW.quota_count <> OLD.quota_count OR NEW.quota_bytes <> OLD.quota_bytes BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (NEW.account, 'widget_keys', NEW.quota_count - OLD.quota_count),
    (NEW.account, 'configuration_bytes', NEW.quota_bytes - OLD.quota_bytes)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
ALTER TABLE widget_settings ADD quota_bytes integer GENERATED ALWAYS AS (
  256 + octet_length(accent_color) + octet_length(launcher_label) + octet_length(logo_url) +
  octet_length(primary_color) + octet_length(privacy_notice)
) VIRTUAL;
--> statement-breakpoint
CREATE TRIGGER widget_settings_quota_insert AFTER INSERT ON widget_settings BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (NEW.account, 'configuration_bytes', NEW.quota_bytes)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
CREATE TRIGGER widget_settings_quota_delete AFTER DELETE ON widget_settings BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (OLD.account, 'configuration_bytes', -OLD.quota_bytes)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
CREATE TRIGGER widget_settings_quota_update AFTER UPDATE ON widget_settings
WHEN NEW.quota_bytes <> OLD.quota_bytes BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (NEW.account, 'configuration_bytes', NEW.quota_bytes - OLD.quota_bytes)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
CREATE TRIGGER agent_widget_settings_quota_insert AFTER INSERT ON agent_widget_settings BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (NEW.account, 'configuration_bytes', 256)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
CREATE TRIGGER agent_widget_settings_quota_delete AFTER DELETE ON agent_widget_settings BEGIN
  INSERT INTO account_usage (account, name, used) VALUES
    (OLD.account, 'configuration_bytes', -256)
  ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
END;
--> statement-breakpoint
-- What the accounts have already. D1 takes no long UNION.
INSERT INTO account_usage (account, name, used)
SELECT account, 'agents', count(*) FROM agents WHERE true GROUP BY account
ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
--> statement-breakpoint
INSERT INTO account_usage (account, name, used)
SELECT account, 'configuration_bytes', sum(quota_bytes) FROM agents WHERE true GROUP BY account
ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
--> statement-breakpoint
INSERT INTO account_usage (account, name, used)
SELECT account, 'configuration_bytes', sum(quota_bytes) FROM agent_prompts WHERE true GROUP BY account
ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
--> statement-breakpoint
INSERT INTO account_usage (account, name, used)
SELECT account, 'tools', sum(quota_count) FROM tools WHERE true GROUP BY account
ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
--> statement-breakpoint
INSERT INTO account_usage (account, name, used)
SELECT account, 'configuration_bytes', sum(quota_bytes) FROM tools WHERE true GROUP BY account
ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
--> statement-breakpoint
INSERT INTO account_usage (account, name, used)
SELECT account, 'playbooks', sum(quota_count) FROM playbooks WHERE true GROUP BY account
ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
--> statement-breakpoint
INSERT INTO account_usage (account, name, used)
SELECT account, 'configuration_bytes', sum(quota_bytes) FROM playbooks WHERE true GROUP BY account
ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
--> statement-breakpoint
INSERT INTO account_usage (account, name, used)
SELECT account, 'faqs', sum(quota_count) FROM faqs WHERE true GROUP BY account
ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
--> statement-breakpoint
INSERT INTO account_usage (account, name, used)
SELECT account, 'configuration_bytes', sum(quota_bytes) FROM faqs WHERE true GROUP BY account
ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
--> statement-breakpoint
INSERT INTO account_usage (account, name, used)
SELECT account, 'configuration_bytes', count(*) * 256 FROM agent_faqs WHERE true GROUP BY account
ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
--> statement-breakpoint
INSERT INTO account_usage (account, name, used)
SELECT account, 'configuration_bytes', count(*) * 256 FROM agent_playbooks WHERE true GROUP BY account
ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
--> statement-breakpoint
INSERT INTO account_usage (account, name, used)
SELECT account, 'configuration_bytes', sum(quota_bytes) FROM agent_tools WHERE true GROUP BY account
ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
--> statement-breakpoint
INSERT INTO account_usage (account, name, used)
SELECT account, 'configuration_bytes', sum(quota_bytes) FROM integration_installs WHERE true GROUP BY account
ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
--> statement-breakpoint
INSERT INTO account_usage (account, name, used)
SELECT account, 'credentials', sum(quota_count) FROM telephony_providers WHERE true GROUP BY account
ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
--> statement-breakpoint
INSERT INTO account_usage (account, name, used)
SELECT account, 'configuration_bytes', sum(quota_bytes) FROM telephony_providers WHERE true GROUP BY account
ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
--> statement-breakpoint
INSERT INTO account_usage (account, name, used)
SELECT account, 'numbers', count(*) FROM phone_numbers WHERE true GROUP BY account
ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
--> statement-breakpoint
INSERT INTO account_usage (account, name, used)
SELECT account, 'configuration_bytes', count(*) * 256 FROM phone_numbers WHERE true GROUP BY account
ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
--> statement-breakpoint
INSERT INTO account_usage (account, name, used)
SELECT account, 'api_keys', sum(quota_count) FROM api_keys WHERE true GROUP BY account
ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
--> statement-breakpoint
INSERT INTO account_usage (account, name, used)
SELECT account, 'configuration_bytes', sum(quota_bytes) FROM api_keys WHERE true GROUP BY account
ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
--> statement-breakpoint
INSERT INTO account_usage (account, name, used)
SELECT account, 'widget_keys', sum(quota_count) FROM widget_keys WHERE true GROUP BY account
ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
--> statement-breakpoint
INSERT INTO account_usage (account, name, used)
SELECT account, 'configuration_bytes', sum(quota_bytes) FROM widget_keys WHERE true GROUP BY account
ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
--> statement-breakpoint
INSERT INTO account_usage (account, name, used)
SELECT account, 'configuration_bytes', sum(quota_bytes) FROM widget_settings WHERE true GROUP BY account
ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
--> statement-breakpoint
INSERT INTO account_usage (account, name, used)
SELECT account, 'configuration_bytes', count(*) * 256 FROM agent_widget_settings WHERE true GROUP BY account
ON CONFLICT (account, name) DO UPDATE SET used = used + excluded.used;
--> statement-breakpoint
-- Refuses what grows beyond the limit; what shrinks or stays is let through, however low the limit came to be.
CREATE TRIGGER account_usage_limit AFTER UPDATE OF used ON account_usage
WHEN NEW.used > OLD.used AND NEW.used > NEW.most BEGIN
  SELECT RAISE(ABORT, 'quota_exceeded agents') WHERE NEW.name = 'agents';
  SELECT RAISE(ABORT, 'quota_exceeded tools') WHERE NEW.name = 'tools';
  SELECT RAISE(ABORT, 'quota_exceeded playbooks') WHERE NEW.name = 'playbooks';
  SELECT RAISE(ABORT, 'quota_exceeded faqs') WHERE NEW.name = 'faqs';
  SELECT RAISE(ABORT, 'quota_exceeded api_keys') WHERE NEW.name = 'api_keys';
  SELECT RAISE(ABORT, 'quota_exceeded widget_keys') WHERE NEW.name = 'widget_keys';
  SELECT RAISE(ABORT, 'quota_exceeded credentials') WHERE NEW.name = 'credentials';
  SELECT RAISE(ABORT, 'quota_exceeded numbers') WHERE NEW.name = 'numbers';
  SELECT RAISE(ABORT, 'quota_exceeded configuration_bytes') WHERE NEW.name = 'configuration_bytes';
END;
