CREATE TABLE `buckets` (
	`name` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`settings` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `jobs` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`type` text NOT NULL,
	`state` text NOT NULL,
	`model` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`owner` text,
	`error_code` text,
	`error_message` text,
	`created_at` integer NOT NULL,
	`started_at` integer,
	`ended_at` integer,
	`input` text,
	`result` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `jobs_by_id` ON `jobs` (`id`);--> statement-breakpoint
CREATE INDEX `jobs_by_state` ON `jobs` (`state`,`seq`);--> statement-breakpoint
CREATE INDEX `jobs_by_model` ON `jobs` (`model`,`state`);--> statement-breakpoint
CREATE INDEX `jobs_by_end` ON `jobs` (`ended_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `jobs_active_training` ON `jobs` (`model`) WHERE type = 'training' and state in ('waiting', 'running');--> statement-breakpoint
CREATE TABLE `meta` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `models` (
	`name` text PRIMARY KEY NOT NULL,
	`generation` integer DEFAULT 1 NOT NULL,
	`active_version` text,
	`last_training` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`settings` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `versions` (
	`model` text NOT NULL,
	`number` integer NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`from_at` integer NOT NULL,
	`to_at` integer NOT NULL,
	`checksum` text NOT NULL,
	`summary` text NOT NULL,
	`settings` text NOT NULL,
	`parameters` text NOT NULL,
	`weights` blob NOT NULL,
	PRIMARY KEY(`model`, `number`),
	FOREIGN KEY (`model`) REFERENCES `models`(`name`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `versions_by_name` ON `versions` (`model`,`name`);