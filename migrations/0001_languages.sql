ALTER TABLE `agents` ADD `language` text DEFAULT 'en-US' NOT NULL;--> statement-breakpoint
ALTER TABLE `agents` ADD `languages` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `agents` ADD `key_terms` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `agents` ADD `phrases` text DEFAULT '{"silence":null,"apology":null,"goodbye":null,"filler":null,"budget":null,"unavailable":null,"no_answer":null,"filtered":null,"resumed":null,"time_up":null}' NOT NULL;