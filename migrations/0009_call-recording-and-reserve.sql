ALTER TABLE `call_settings` ADD `record_outbound` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `call_settings` ADD `record_inbound` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `call_settings` ADD `recording_announcement` text;--> statement-breakpoint
ALTER TABLE `call_settings` ADD `ring_timeout_s` integer DEFAULT 45 NOT NULL;--> statement-breakpoint
ALTER TABLE `call_settings` ADD `inbound_reserve` integer;--> statement-breakpoint
ALTER TABLE `calls` ADD `recorded` integer;--> statement-breakpoint
CREATE INDEX `calls_account_from` ON `calls` (`account`,`from_number`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `calls_account_to` ON `calls` (`account`,`to_number`,`created_at`,`id`);