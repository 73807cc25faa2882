ALTER TABLE `accounts` ADD `timezone` text;--> statement-breakpoint
ALTER TABLE `accounts` ADD `revision` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `accounts` ADD `updated_by` text;--> statement-breakpoint
ALTER TABLE `accounts` ADD `revised_at` text;--> statement-breakpoint
ALTER TABLE `agents` ADD `timezone` text;