CREATE TABLE `episodes` (
	`id` text PRIMARY KEY NOT NULL,
	`model` text NOT NULL,
	`start_at` integer NOT NULL,
	`end_at` integer,
	`peak_score` real NOT NULL,
	`features` text NOT NULL,
	`peak` text NOT NULL,
	`closed_by` text,
	`feedback` text
);
--> statement-breakpoint
CREATE INDEX `episodes_by_model` ON `episodes` (`model`,`start_at`);--> statement-breakpoint
CREATE INDEX `episodes_by_start` ON `episodes` (`start_at`);--> statement-breakpoint
CREATE TABLE `evaluations` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`model` text NOT NULL,
	`window_at` integer NOT NULL,
	`evaluated_at` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`outcome` text NOT NULL,
	`score` real,
	`error` text,
	FOREIGN KEY (`model`) REFERENCES `models`(`name`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `evaluations_by_model` ON `evaluations` (`model`,`seq`);--> statement-breakpoint
CREATE TABLE `live` (
	`model` text PRIMARY KEY NOT NULL,
	`started_at` integer NOT NULL,
	`options` text NOT NULL,
	`last_slot` integer,
	`last_window_at` integer,
	`missed` integer DEFAULT 0 NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`last_error_code` text,
	`last_error_message` text,
	`last_error_at` integer,
	`state` text NOT NULL,
	FOREIGN KEY (`model`) REFERENCES `models`(`name`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `outbox` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`model` text NOT NULL,
	`hook` text NOT NULL,
	`kind` text NOT NULL,
	`state` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`next_at` integer NOT NULL,
	`ended_at` integer,
	`last_error` text,
	`event` text NOT NULL,
	`config` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `outbox_by_id` ON `outbox` (`id`);--> statement-breakpoint
CREATE INDEX `outbox_by_state` ON `outbox` (`state`,`next_at`);--> statement-breakpoint
CREATE INDEX `outbox_by_hook` ON `outbox` (`model`,`hook`,`seq`);