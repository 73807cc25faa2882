CREATE TABLE `pending_events` (
	`account` text NOT NULL,
	`at` text NOT NULL,
	`type` text NOT NULL,
	`resource` text NOT NULL,
	`data` text NOT NULL,
	PRIMARY KEY(`account`, `at`, `type`, `resource`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
