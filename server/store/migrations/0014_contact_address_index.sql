DROP INDEX "contacts_email";--> statement-breakpoint
CREATE UNIQUE INDEX "contacts_email" ON "contacts" USING btree ("workspace_id","email_key") INCLUDE ("id");
