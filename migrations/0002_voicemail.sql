ALTER TABLE `call_settings` ADD `voicemail` text DEFAULT 'hang_up' NOT NULL;--> statement-breakpoint
ALTER TABLE `calls` ADD `voicemail` text;--> statement-breakpoint
ALTER TABLE `calls` ADD `message` text;--> statement-breakpoint
ALTER TABLE `calls` ADD `message_until` integer;