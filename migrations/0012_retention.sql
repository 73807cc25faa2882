CREATE TABLE `scheduled_jobs` (
	`job` text PRIMARY KEY NOT NULL,
	`succeeded_at` integer,
	`failing_since` integer
);
--> statement-breakpoint
ALTER TABLE `accounts` ADD `retention_due_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `accounts` ADD `retention_owed_since` integer;--> statement-breakpoint
CREATE INDEX `accounts_retention_due` ON `accounts` (`retention_due_at`,`name`);--> statement-breakpoint
CREATE INDEX `accounts_retention_owed` ON `accounts` (`retention_owed_since`) WHERE "accounts"."retention_owed_since" IS NOT NULL;--> statement-breakpoint
ALTER TABLE `object_gauges` ADD `retention_since` integer;--> statement-breakpoint
ALTER TABLE `privacy_settings` DROP COLUMN `calls_deleted_on`;