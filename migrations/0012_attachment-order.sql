DROP INDEX `agent_faqs_in_order`;--> statement-breakpoint
ALTER TABLE `agent_faqs` ADD `position` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `agent_faqs_in_order` ON `agent_faqs` (`account`,`agent_id`,`position`,`created_at`,`faq_id`);--> statement-breakpoint
DROP INDEX `agent_playbooks_in_order`;--> statement-breakpoint
ALTER TABLE `agent_playbooks` ADD `position` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `agent_playbooks_in_order` ON `agent_playbooks` (`account`,`agent_id`,`position`,`created_at`,`playbook_id`);--> statement-breakpoint
ALTER TABLE `agent_tools` ADD `position` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `agent_tools_in_order` ON `agent_tools` (`account`,`agent_id`,`position`,`tool_name`);