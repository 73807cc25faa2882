CREATE TABLE `privacy_settings` (
	`account` text PRIMARY KEY NOT NULL,
	`calls_days` integer,
	`events_days` integer,
	`audit_days` integer,
	`calls_deleted_on` text,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
