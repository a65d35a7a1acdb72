CREATE TABLE `__new_evaluations` (
	`model` text NOT NULL,
	`place` integer NOT NULL,
	`rev` integer NOT NULL,
	`window_at` integer NOT NULL,
	`evaluated_at` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`outcome` text NOT NULL,
	`score` real,
	`error` text,
	PRIMARY KEY(`model`, `place`),
	FOREIGN KEY (`model`) REFERENCES `models`(`name`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
UPDATE `live` SET `rev` = `rev` + 20;--> statement-breakpoint
WITH `ranked` AS (SELECT *, row_number() OVER (PARTITION BY `model` ORDER BY `seq` DESC) AS `rank` FROM `evaluations`)
INSERT INTO `__new_evaluations`
SELECT `ranked`.`model`, (`rev` - `rank`) % 20, `rev` - `rank`, `window_at`, `evaluated_at`, `duration_ms`, `outcome`, `score`, `error`
FROM `ranked` JOIN `live` ON `live`.`model` = `ranked`.`model` WHERE `rank` <= 20;--> statement-breakpoint
DROP TABLE `evaluations`;--> statement-breakpoint
ALTER TABLE `__new_evaluations` RENAME TO `evaluations`;