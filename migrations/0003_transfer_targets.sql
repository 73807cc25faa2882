ALTER TABLE `agents` ADD `transfer_targets` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `call_settings` ADD `allowed_destinations` text;