DROP INDEX "events_contact";--> statement-breakpoint
CREATE INDEX "events_contact" ON "events" USING btree ("workspace_id","contact_id") WHERE contact_id is not null;