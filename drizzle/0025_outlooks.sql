CREATE TABLE `outlooks` (
	`model` text NOT NULL,
	`series` text NOT NULL,
	`feature` text NOT NULL,
	`type` text NOT NULL,
	`bound` real NOT NULL,
	`source` text NOT NULL,
	`value` real NOT NULL,
	`per_day` real NOT NULL,
	`reached_at` integer NOT NULL,
	`earliest_at` integer NOT NULL,
	`latest_at` integer,
	`hits` integer NOT NULL,
	`cases` integer NOT NULL,
	`is_predictable` integer NOT NULL,
	`made_at` integer NOT NULL,
	PRIMARY KEY(`model`, `series`, `feature`, `type`),
	FOREIGN KEY (`model`) REFERENCES `models`(`name`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `outlooks_by_date` ON `outlooks` (`is_predictable`,`reached_at`);