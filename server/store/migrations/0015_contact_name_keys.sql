DROP INDEX "contacts_first_name";--> statement-breakpoint
DROP INDEX "contacts_last_name";--> statement-breakpoint
-- The collation is written by hand, as that of `email_key`; both columns in one statement, which writes the table once.
ALTER TABLE "contacts"
	ADD COLUMN "first_name_key" text COLLATE "C" GENERATED ALWAYS AS (lower((fields ->> '1') collate "C")) STORED,
	ADD COLUMN "last_name_key" text COLLATE "C" GENERATED ALWAYS AS (lower((fields ->> '2') collate "C")) STORED;--> statement-breakpoint
CREATE INDEX "contacts_first_name" ON "contacts" USING btree ("workspace_id","first_name_key","id");--> statement-breakpoint
CREATE INDEX "contacts_last_name" ON "contacts" USING btree ("workspace_id","last_name_key","id");
