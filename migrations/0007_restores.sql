CREATE TABLE `restores` (
	`account` text PRIMARY KEY NOT NULL,
	`backup` text NOT NULL,
	`begun_at` text NOT NULL,
	`finished_at` text,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
