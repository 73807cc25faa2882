CREATE TABLE `do_not_call` (
	`account` text NOT NULL,
	`phone_number` text NOT NULL,
	`reason` text,
	`created_at` text NOT NULL,
	PRIMARY KEY(`account`, `phone_number`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `do_not_call_account_created` ON `do_not_call` (`account`,`created_at`,`phone_number`);