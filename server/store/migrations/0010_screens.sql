ALTER TABLE "email_configs" ADD COLUMN "old_key_lookup" "bytea";--> statement-breakpoint
ALTER TABLE "email_configs" ADD COLUMN "old_key_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "preferences" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "closed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "closed_email" text;--> statement-breakpoint
CREATE INDEX "deliveries_trouble" ON "deliveries" USING btree ("config_id","id") WHERE state in ('failed', 'deferred');--> statement-breakpoint
CREATE UNIQUE INDEX "email_configs_old_key" ON "email_configs" USING btree ("old_key_lookup") WHERE old_key_lookup is not null;--> statement-breakpoint
CREATE INDEX "users_closed" ON "users" USING btree ("closed_at") WHERE closed_at is not null;