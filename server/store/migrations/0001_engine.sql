CREATE TABLE "campaigns" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"status" text DEFAULT 'draft' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"scope" text NOT NULL,
	"key" text NOT NULL,
	"request_hash" "bytea" NOT NULL,
	"token" uuid NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"state" text NOT NULL,
	"answer_sealed" "bytea",
	CONSTRAINT "idempotency_keys_scope_key_pk" PRIMARY KEY("scope","key")
);
--> statement-breakpoint
CREATE TABLE "mailbox_slots" (
	"config_id" uuid NOT NULL,
	"holder" uuid NOT NULL,
	"count" smallint NOT NULL,
	"renewed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mailbox_slots_config_id_holder_pk" PRIMARY KEY("config_id","holder")
);
--> statement-breakpoint
CREATE TABLE "mailbox_usage" (
	"config_id" uuid NOT NULL,
	"bucket_seconds" smallint NOT NULL,
	"bucket_at" timestamp with time zone NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "mailbox_usage_config_id_bucket_seconds_bucket_at_pk" PRIMARY KEY("config_id","bucket_seconds","bucket_at")
);
--> statement-breakpoint
DROP INDEX "deliveries_due";--> statement-breakpoint
DROP INDEX "deliveries_leased";--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "campaign_id" uuid;--> statement-breakpoint
ALTER TABLE "email_configs" ADD COLUMN "limit_per_minute" integer;--> statement-breakpoint
ALTER TABLE "email_configs" ADD COLUMN "limit_per_day" integer;--> statement-breakpoint
ALTER TABLE "email_configs" ADD COLUMN "limit_connections" integer;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "extra_headers" jsonb;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "campaign_id" uuid;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "campaigns_workspace" ON "campaigns" USING btree ("workspace_id","created_at");--> statement-breakpoint
CREATE INDEX "campaigns_sending" ON "campaigns" USING btree ("workspace_id") WHERE status = 'sending';--> statement-breakpoint
CREATE UNIQUE INDEX "idempotency_keys_token" ON "idempotency_keys" USING btree ("token");--> statement-breakpoint
CREATE INDEX "idempotency_keys_started" ON "idempotency_keys" USING btree ("started_at");--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "messages_campaign" ON "messages" USING btree ("campaign_id") WHERE campaign_id is not null;--> statement-breakpoint
CREATE INDEX "deliveries_due" ON "deliveries" USING btree ("config_id","campaign_id","next_attempt_at","id") WHERE state in ('queued', 'deferred');--> statement-breakpoint
CREATE INDEX "deliveries_leased" ON "deliveries" USING btree ("config_id","lease_owner") WHERE state = 'sending';--> statement-breakpoint

-- Written by hand: what the schema's language cannot say.

ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_status" CHECK (status in ('draft', 'scheduled', 'sending', 'paused', 'finished', 'cancelled', 'failed'));--> statement-breakpoint
ALTER TABLE "email_configs" ADD CONSTRAINT "email_configs_limits" CHECK (limit_per_minute > 0 and limit_per_day > 0 and limit_connections > 0);--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_state" CHECK (state in ('started', 'committed', 'answered') and (state = 'started') = (answer_sealed is null));--> statement-breakpoint
-- Few rows that change all the time: room for the new versions beside the old ones, and vacuum soon.
ALTER TABLE "mailbox_usage" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);--> statement-breakpoint
ALTER TABLE "mailbox_slots" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);
