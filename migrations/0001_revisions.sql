ALTER TABLE `agents` ADD `revision` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `agents` ADD `updated_by` text;--> statement-breakpoint
ALTER TABLE `agents` ADD `revised_at` text;--> statement-breakpoint
ALTER TABLE `faqs` ADD `revision` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `faqs` ADD `updated_by` text;--> statement-breakpoint
ALTER TABLE `faqs` ADD `revised_at` text;--> statement-breakpoint
ALTER TABLE `integration_installs` ADD `revision` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `integration_installs` ADD `updated_by` text;--> statement-breakpoint
ALTER TABLE `integration_installs` ADD `revised_at` text;--> statement-breakpoint
ALTER TABLE `playbooks` ADD `revision` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `playbooks` ADD `updated_by` text;--> statement-breakpoint
ALTER TABLE `playbooks` ADD `revised_at` text;--> statement-breakpoint
ALTER TABLE `tools` ADD `revision` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `tools` ADD `updated_by` text;--> statement-breakpoint
ALTER TABLE `tools` ADD `revised_at` text;--> statement-breakpoint
ALTER TABLE `call_settings` ADD `revision` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `call_settings` ADD `updated_by` text;--> statement-breakpoint
ALTER TABLE `call_settings` ADD `revised_at` text;--> statement-breakpoint
ALTER TABLE `phone_numbers` ADD `revision` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `phone_numbers` ADD `updated_by` text;--> statement-breakpoint
ALTER TABLE `phone_numbers` ADD `revised_at` text;--> statement-breakpoint
ALTER TABLE `agent_widget_settings` ADD `revision` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `agent_widget_settings` ADD `updated_by` text;--> statement-breakpoint
ALTER TABLE `agent_widget_settings` ADD `revised_at` text;--> statement-breakpoint
ALTER TABLE `widget_settings` ADD `revision` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `widget_settings` ADD `updated_by` text;--> statement-breakpoint
ALTER TABLE `widget_settings` ADD `revised_at` text;