CREATE TABLE `failed_sources` (
	`bucket` text PRIMARY KEY NOT NULL,
	`episode` text NOT NULL,
	`model` text NOT NULL,
	`started_at` integer NOT NULL,
	`code` text NOT NULL,
	`reason` text NOT NULL
);
