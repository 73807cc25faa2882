ALTER TABLE `accounts` ADD `quotas` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `accounts` ADD `sessions_valid_after` text;--> statement-breakpoint
ALTER TABLE `audit_log` ADD `changes` text;--> statement-breakpoint
CREATE INDEX `audit_log_account_action` ON `audit_log` (`account`,`action`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_log_account_resource` ON `audit_log` (`account`,`resource`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_log_account_actor` ON `audit_log` (`account`,`actor`,`at`,`id`);--> statement-breakpoint
ALTER TABLE `users` ADD `sessions_valid_after` text;