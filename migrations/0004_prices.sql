CREATE TABLE `prices` (
	`account` text NOT NULL,
	`what` text NOT NULL,
	`since` text NOT NULL,
	`unit_micros` integer,
	PRIMARY KEY(`account`, `what`, `since`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
