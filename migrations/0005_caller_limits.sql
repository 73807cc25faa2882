ALTER TABLE `call_settings` ADD `caller_concurrent_calls` integer DEFAULT 2;--> statement-breakpoint
ALTER TABLE `call_settings` ADD `caller_calls_per_day` integer DEFAULT 20;