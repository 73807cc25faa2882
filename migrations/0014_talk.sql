ALTER TABLE `agents` ADD `filler_after_ms` integer DEFAULT 1500 NOT NULL;--> statement-breakpoint
ALTER TABLE `do_not_call` ADD `conversation_id` text;