ALTER TABLE "campaigns" ADD COLUMN "fill_owner" text;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "fill_lease_until" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "campaigns_preparing" ON "campaigns" USING btree ("created_at") WHERE status = 'preparing';