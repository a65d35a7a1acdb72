CREATE TABLE `hooks` (
	`model` text NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`config` text NOT NULL,
	PRIMARY KEY(`model`, `name`),
	FOREIGN KEY (`model`) REFERENCES `models`(`name`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `scheduled_jobs` (
	`name` text PRIMARY KEY NOT NULL,
	`origin` text NOT NULL,
	`generation` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`last_run_at` integer,
	`last_status` integer,
	`last_error` text,
	`definition` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `scheduled_runs` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`job` text NOT NULL,
	`slot_at` integer NOT NULL,
	`generation` integer NOT NULL,
	`started_at` integer NOT NULL,
	FOREIGN KEY (`job`) REFERENCES `scheduled_jobs`(`name`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `scheduled_runs_by_slot` ON `scheduled_runs` (`job`,`slot_at`);--> statement-breakpoint
CREATE TABLE `templates` (
	`name` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`settings` text NOT NULL
);
