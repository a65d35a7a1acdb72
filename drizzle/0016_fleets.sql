CREATE TABLE `fit_sets` (
	`id` integer PRIMARY KEY NOT NULL,
	`model` text,
	`number` integer,
	`is_staged` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`model`,`number`) REFERENCES `versions`(`model`,`number`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `fit_sets_by_version` ON `fit_sets` (`model`,`number`);--> statement-breakpoint
CREATE TABLE `live_series` (
	`model` text NOT NULL,
	`key` text NOT NULL,
	`status` text NOT NULL,
	`score` real,
	`first_seen_at` integer NOT NULL,
	`newest_at` integer,
	`window_at` integer NOT NULL,
	`tags` text NOT NULL,
	PRIMARY KEY(`model`, `key`),
	FOREIGN KEY (`model`) REFERENCES `live`(`model`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `live_series_by_status` ON `live_series` (`model`,`status`,`key`);--> statement-breakpoint
CREATE INDEX `live_series_by_score` ON `live_series` (`model`,`score`,`key`);--> statement-breakpoint
CREATE INDEX `live_series_by_newest` ON `live_series` (`model`,`newest_at`,`key`);--> statement-breakpoint
CREATE TABLE `live_series_memories` (
	`model` text NOT NULL,
	`key` text NOT NULL,
	`window_at` integer NOT NULL,
	`memory` blob NOT NULL,
	PRIMARY KEY(`model`, `key`),
	FOREIGN KEY (`model`) REFERENCES `live`(`model`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `live_series_states` (
	`model` text NOT NULL,
	`key` text NOT NULL,
	`state` text NOT NULL,
	PRIMARY KEY(`model`, `key`),
	FOREIGN KEY (`model`) REFERENCES `live`(`model`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `version_series` (
	`fit_set` integer NOT NULL,
	`key` text NOT NULL,
	`tags` text NOT NULL,
	`points` integer NOT NULL,
	`fitted_at` integer NOT NULL,
	`parameters` blob NOT NULL,
	PRIMARY KEY(`fit_set`, `key`),
	FOREIGN KEY (`fit_set`) REFERENCES `fit_sets`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
DROP INDEX `scores_by_model`;--> statement-breakpoint
ALTER TABLE `scores` ADD `series` text;--> statement-breakpoint
CREATE INDEX `scores_by_model` ON `scores` (`model`,`series`,`interval_ms`,`start_at`);--> statement-breakpoint
ALTER TABLE `episodes` ADD `series` text;--> statement-breakpoint
ALTER TABLE `episodes` ADD `scope` text;--> statement-breakpoint
ALTER TABLE `episodes` ADD `share` real;--> statement-breakpoint
ALTER TABLE `labels` ADD `series` text;