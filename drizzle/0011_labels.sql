CREATE TABLE `labels` (
	`id` text PRIMARY KEY NOT NULL,
	`model` text NOT NULL,
	`from_at` integer NOT NULL,
	`to_at` integer NOT NULL,
	`anomaly` integer NOT NULL,
	`feature` text,
	`created_at` integer NOT NULL,
	`note` text,
	FOREIGN KEY (`model`) REFERENCES `models`(`name`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `labels_by_model` ON `labels` (`model`,`from_at`);