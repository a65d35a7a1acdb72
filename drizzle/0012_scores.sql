CREATE TABLE `scores` (
	`id` integer PRIMARY KEY NOT NULL,
	`model` text NOT NULL,
	`start_at` integer NOT NULL,
	`interval_ms` integer NOT NULL,
	`version` text NOT NULL,
	`features` text NOT NULL,
	`data` blob NOT NULL,
	FOREIGN KEY (`model`) REFERENCES `models`(`name`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `scores_by_model` ON `scores` (`model`,`interval_ms`,`start_at`);--> statement-breakpoint
CREATE INDEX `scores_by_start` ON `scores` (`start_at`);