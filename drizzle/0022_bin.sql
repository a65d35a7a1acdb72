CREATE TABLE `bin` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`model` text,
	`deleted_at` integer NOT NULL,
	`deleted_by` text,
	`bytes` integer NOT NULL,
	`has_points` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE INDEX `bin_by_time` ON `bin` (`deleted_at`);--> statement-breakpoint
CREATE TABLE `bin_rows` (
	`bin` text NOT NULL,
	`place` integer NOT NULL,
	`source` text NOT NULL,
	`content` text NOT NULL,
	`sealed` text DEFAULT '{}' NOT NULL,
	`data` blob,
	PRIMARY KEY(`bin`, `place`),
	FOREIGN KEY (`bin`) REFERENCES `bin`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `fit_sets` ADD `bin` text REFERENCES bin(id) ON DELETE set null;--> statement-breakpoint
CREATE INDEX `fit_sets_by_bin` ON `fit_sets` (`bin`);