ALTER TABLE "deliveries" ADD COLUMN "attempt_replies" jsonb;--> statement-breakpoint
CREATE INDEX "event_counts_quarter" ON "event_counts" USING btree ("workspace_id","quarter_at");