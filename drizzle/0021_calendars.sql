CREATE TABLE `calendars` (
	`name` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`next_at` integer,
	`refreshed_at` integer,
	`failures` integer DEFAULT 0 NOT NULL,
	`last_error` text,
	`etag` text,
	`last_modified` text,
	`settings` text NOT NULL,
	`ical` text
);
