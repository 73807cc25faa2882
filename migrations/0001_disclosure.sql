ALTER TABLE `agents` ADD `disclosure` text DEFAULT '"account"' NOT NULL;--> statement-breakpoint
ALTER TABLE `call_settings` ADD `disclosure` text DEFAULT '{"mode":"off","texts":{}}' NOT NULL;