ALTER TABLE `agents` ADD `storage` text DEFAULT 'all' NOT NULL;--> statement-breakpoint
ALTER TABLE `agents` ADD `redact` text DEFAULT '["card","iban","email","phone","ssn"]' NOT NULL;