CREATE SEQUENCE "public"."delivery_ids" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;
CREATE TABLE "acceptances" (
	"user_id" uuid NOT NULL,
	"document" text NOT NULL,
	"document_date" date NOT NULL,
	"accepted_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "acceptances_user_id_document_document_date_pk" PRIMARY KEY("user_id","document","document_date")
);

CREATE TABLE "account_tokens" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"purpose" text NOT NULL,
	"browser_hash" "bytea",
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);

CREATE TABLE "identities" (
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "identities_issuer_subject_pk" PRIMARY KEY("issuer","subject")
);

CREATE TABLE "members" (
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "members_workspace_id_user_id_pk" PRIMARY KEY("workspace_id","user_id")
);

CREATE TABLE "pending_accounts" (
	"handle_hash" "bytea" PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);

CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"user_agent" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);

CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"password_hash" text,
	"referral_source" text,
	"email_confirmed_at" timestamp with time zone,
	"preferences" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"closed_at" timestamp with time zone,
	"closed_email" text
);

CREATE TABLE "workspaces" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"postal_address" text,
	"plan" text DEFAULT 'trial' NOT NULL,
	"trial_ends_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "campaign_recipients" (
	"workspace_id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"address_hash" "bytea" NOT NULL,
	CONSTRAINT "campaign_recipients_workspace_id_campaign_id_address_hash_pk" PRIMARY KEY("workspace_id","campaign_id","address_hash")
);

CREATE TABLE "campaigns" (
	"id" uuid NOT NULL,
	"workspace_id" uuid NOT NULL,
	"status" text DEFAULT 'draft' NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"subject" text DEFAULT '' NOT NULL,
	"body" text DEFAULT '' NOT NULL,
	"context" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"config_ids" uuid[] DEFAULT '{}' NOT NULL,
	"template_id" uuid,
	"status_reason" text,
	"scheduled_at" timestamp with time zone,
	"timezone" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"staged_at" timestamp with time zone,
	"started_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	"counts" jsonb,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "campaigns_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);

CREATE TABLE "clock_jumps" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "clock_jumps_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"jump_ms" double precision NOT NULL,
	"noticed_at" timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "idempotency_keys" (
	"workspace_id" uuid NOT NULL,
	"scope" text NOT NULL,
	"key" text NOT NULL,
	"request_hash" "bytea" NOT NULL,
	"token" uuid NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"state" text NOT NULL,
	"answer_sealed" "bytea",
	CONSTRAINT "idempotency_keys_workspace_id_scope_key_pk" PRIMARY KEY("workspace_id","scope","key")
);

CREATE TABLE "vault_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"check_sealed" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "key_directory" (
	"lookup_hash" "bytea" PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"object_id" text NOT NULL
);

CREATE TABLE "workspace_directory" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"no" integer GENERATED ALWAYS AS IDENTITY (sequence name "workspace_directory_no_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"shard_group" integer DEFAULT 0 NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	CONSTRAINT "workspace_directory_no_unique" UNIQUE("no")
);

CREATE TABLE "embed_audit" (
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "embed_audit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"workspace_id" uuid NOT NULL,
	"embed_id" text NOT NULL,
	"session_id" uuid NOT NULL,
	"act" text NOT NULL,
	"message_id" uuid,
	"recipient_count" integer DEFAULT 0 NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "embed_audit_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);

CREATE TABLE "embed_codes" (
	"code_hash" "bytea" PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"embed_id" text NOT NULL,
	"user_id" uuid NOT NULL,
	"origin" text NOT NULL,
	"scopes" text[] NOT NULL,
	"challenge" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);

CREATE TABLE "embed_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"embed_id" text NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"origin" text NOT NULL,
	"is_preview" boolean NOT NULL,
	"scopes" text[] NOT NULL,
	"config_ids" uuid[],
	"user_ref" text,
	"opened_by" text NOT NULL,
	"user_id" uuid,
	"key_config_id" uuid,
	"messages_limit" integer NOT NULL,
	"recipients_limit" integer NOT NULL,
	"message_count" integer DEFAULT 0 NOT NULL,
	"recipient_count" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone
);

CREATE TABLE "embed_usage" (
	"workspace_id" uuid NOT NULL,
	"embed_id" text NOT NULL,
	"day" date NOT NULL,
	"recipient_count" integer NOT NULL,
	CONSTRAINT "embed_usage_workspace_id_embed_id_day_pk" PRIMARY KEY("workspace_id","embed_id","day")
);

CREATE TABLE "embeds" (
	"id" text NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"allowed_origins" text[] NOT NULL,
	"widgets" text[] NOT NULL,
	"config_ids" uuid[],
	"messages_per_session" integer NOT NULL,
	"recipients_per_session" integer NOT NULL,
	"recipients_per_day" integer NOT NULL,
	"popup_sign_in" boolean NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "embeds_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);

CREATE TABLE "hosted_changes" (
	"collection" text NOT NULL,
	"id" bigint NOT NULL,
	"kind" text NOT NULL,
	"document_id" text NOT NULL,
	"data" jsonb,
	"octets" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "hosted_changes_collection_id_pk" PRIMARY KEY("collection","id")
);

CREATE TABLE "hosted_collections" (
	"name" text PRIMARY KEY NOT NULL,
	"document_count" bigint NOT NULL,
	"octets" bigint NOT NULL,
	"last_change" bigint NOT NULL
);

CREATE TABLE "hosted_documents" (
	"collection" text NOT NULL,
	"id" text NOT NULL,
	"data" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "hosted_documents_collection_id_pk" PRIMARY KEY("collection","id")
);

CREATE TABLE "hosted_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"key_hash" "bytea" NOT NULL,
	"collections" text[],
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "hosted_keys_kind" CHECK (kind in ('read', 'write'))
);

CREATE TABLE "hosted_seeds" (
	"collection" text NOT NULL,
	"id" text NOT NULL,
	"version" text NOT NULL,
	"data_hash" "bytea" NOT NULL,
	CONSTRAINT "hosted_seeds_collection_id_pk" PRIMARY KEY("collection","id")
);

CREATE TABLE "hosted_tokens" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);

CREATE TABLE "hosted_users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"data" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "attempts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "attempts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"subject" "bytea" NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "email_configs" (
	"id" uuid NOT NULL,
	"workspace_id" uuid NOT NULL,
	"email_address" text NOT NULL,
	"provider" text NOT NULL,
	"smtp_host" text,
	"smtp_port" integer,
	"smtp_security" text,
	"app_password_sealed" "bytea",
	"oauth_tokens_sealed" "bytea",
	"credentials_version" integer DEFAULT 1 NOT NULL,
	"secret_key_sealed" "bytea",
	"secret_key_lookup" "bytea",
	"old_key_lookup" "bytea",
	"old_key_until" timestamp with time zone,
	"status" text DEFAULT 'active' NOT NULL,
	"pause_reason" text,
	"paused_until" timestamp with time zone,
	"limit_per_minute" integer,
	"limit_per_day" integer,
	"limit_connections" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "email_configs_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);

CREATE TABLE "deliveries" (
	"month" date NOT NULL,
	"id" bigint DEFAULT nextval('delivery_ids') NOT NULL,
	"workspace_id" uuid NOT NULL,
	"message_id" uuid NOT NULL,
	"config_id" uuid NOT NULL,
	"campaign_id" uuid,
	"recipient" text NOT NULL,
	"context" jsonb,
	"state" text DEFAULT 'queued' NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone DEFAULT now() NOT NULL,
	"lease_owner" uuid,
	"lease_token" uuid,
	"leased_at" timestamp with time zone,
	"reply" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"settled_at" timestamp with time zone,
	CONSTRAINT "deliveries_workspace_id_month_id_pk" PRIMARY KEY("workspace_id","month","id")
) PARTITION BY RANGE ("month");

CREATE TABLE "messages" (
	"id" uuid NOT NULL,
	"workspace_id" uuid NOT NULL,
	"config_id" uuid NOT NULL,
	"from_address" text NOT NULL,
	"subject" text NOT NULL,
	"content" text NOT NULL,
	"is_html" boolean NOT NULL,
	"context" jsonb NOT NULL,
	"context_sealed" "bytea",
	"extra_headers" jsonb,
	"campaign_id" uuid,
	"is_test" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "messages_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);

CREATE TABLE "mailbox_slots" (
	"workspace_id" uuid NOT NULL,
	"config_id" uuid NOT NULL,
	"holder" uuid NOT NULL,
	"count" smallint NOT NULL,
	"renewed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mailbox_slots_workspace_id_config_id_holder_pk" PRIMARY KEY("workspace_id","config_id","holder")
);

CREATE TABLE "mailbox_usage" (
	"workspace_id" uuid NOT NULL,
	"config_id" uuid NOT NULL,
	"bucket_seconds" smallint NOT NULL,
	"bucket_at" timestamp with time zone NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "mailbox_usage_workspace_id_config_id_bucket_seconds_bucket_at_pk" PRIMARY KEY("workspace_id","config_id","bucket_seconds","bucket_at")
);

CREATE TABLE "sandbox_messages" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sandbox_messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"from_address" text NOT NULL,
	"recipients" text[] NOT NULL,
	"subject" text NOT NULL,
	"html" text,
	"text" text,
	"headers" jsonb NOT NULL,
	"raw" "bytea" NOT NULL
);

CREATE TABLE "delivery_count_changes" (
	"workspace_id" uuid NOT NULL,
	"config_id" uuid NOT NULL,
	"quarter_at" timestamp with time zone NOT NULL,
	"sent" integer NOT NULL,
	"failed" integer NOT NULL,
	"waiting" integer NOT NULL
);

CREATE TABLE "delivery_counts" (
	"workspace_id" uuid NOT NULL,
	"config_id" uuid NOT NULL,
	"quarter_at" timestamp with time zone NOT NULL,
	"sent" integer NOT NULL,
	"failed" integer NOT NULL,
	"waiting" integer NOT NULL,
	CONSTRAINT "delivery_counts_workspace_id_config_id_quarter_at_pk" PRIMARY KEY("workspace_id","config_id","quarter_at")
);

CREATE TABLE "suppressions" (
	"id" uuid NOT NULL,
	"workspace_id" uuid NOT NULL,
	"email" text NOT NULL,
	"reason" text NOT NULL,
	"detail" text,
	"campaign_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "suppressions_workspace_id_email_pk" PRIMARY KEY("workspace_id","email")
);

CREATE TABLE "drafts" (
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"revision" bigint NOT NULL,
	"content" json NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"replaced" json[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "drafts_workspace_id_user_id_kind_pk" PRIMARY KEY("workspace_id","user_id","kind")
);

CREATE TABLE "templates" (
	"id" uuid NOT NULL,
	"workspace_id" uuid NOT NULL,
	"key" text NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"subject" text NOT NULL,
	"body" text NOT NULL,
	"tags" text[] NOT NULL,
	"is_public" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "templates_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);

CREATE INDEX "account_tokens_user" ON "account_tokens" USING btree ("user_id");
CREATE INDEX "identities_user" ON "identities" USING btree ("user_id");
CREATE INDEX "members_user" ON "members" USING btree ("user_id");
CREATE INDEX "pending_accounts_user" ON "pending_accounts" USING btree ("user_id");
CREATE INDEX "pending_accounts_expiry" ON "pending_accounts" USING btree ("expires_at");
CREATE UNIQUE INDEX "sessions_token_hash" ON "sessions" USING btree ("token_hash");
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");
CREATE UNIQUE INDEX "users_email" ON "users" USING btree ("email");
CREATE INDEX "users_closed" ON "users" USING btree ("closed_at") WHERE closed_at is not null;
CREATE INDEX "campaigns_id" ON "campaigns" USING btree ("id");
CREATE INDEX "campaigns_moving" ON "campaigns" USING btree ("status") WHERE status in ('scheduled', 'sending', 'cancelled', 'failed') and counts is null;
CREATE INDEX "campaigns_workspace" ON "campaigns" USING btree ("workspace_id","created_at");
CREATE INDEX "campaigns_sending" ON "campaigns" USING btree ("workspace_id") WHERE status = 'sending';
CREATE UNIQUE INDEX "idempotency_keys_token" ON "idempotency_keys" USING btree ("workspace_id","token");
CREATE INDEX "idempotency_keys_started" ON "idempotency_keys" USING btree ("started_at");
CREATE INDEX "key_directory_object" ON "key_directory" USING btree ("workspace_id","object_id");
CREATE INDEX "embed_audit_list" ON "embed_audit" USING btree ("embed_id","id");
CREATE INDEX "embed_audit_session" ON "embed_audit" USING btree ("session_id");
CREATE INDEX "embed_audit_message" ON "embed_audit" USING btree ("message_id") WHERE message_id is not null;
CREATE INDEX "embed_codes_expires" ON "embed_codes" USING btree ("expires_at");
CREATE UNIQUE INDEX "embed_sessions_id" ON "embed_sessions" USING btree ("workspace_id","id");
CREATE UNIQUE INDEX "embed_sessions_token_hash" ON "embed_sessions" USING btree ("token_hash");
CREATE INDEX "embed_sessions_list" ON "embed_sessions" USING btree ("embed_id","created_at","id");
CREATE INDEX "embed_sessions_expires" ON "embed_sessions" USING btree ("expires_at");
CREATE INDEX "embed_sessions_user" ON "embed_sessions" USING btree ("user_id") WHERE ended_at is null;
CREATE INDEX "embed_sessions_key" ON "embed_sessions" USING btree ("key_config_id") WHERE ended_at is null;
CREATE INDEX "embeds_workspace" ON "embeds" USING btree ("workspace_id","created_at");
CREATE INDEX "embeds_origins" ON "embeds" USING gin ("allowed_origins");
CREATE INDEX "hosted_changes_at" ON "hosted_changes" USING btree ("at");
CREATE INDEX "hosted_documents_order" ON "hosted_documents" USING btree ("collection","created_at","id");
CREATE INDEX "hosted_documents_data" ON "hosted_documents" USING gin ("data" jsonb_path_ops) WITH (fastupdate=false);
CREATE UNIQUE INDEX "hosted_keys_hash" ON "hosted_keys" USING btree ("key_hash");
CREATE INDEX "hosted_tokens_user" ON "hosted_tokens" USING btree ("user_id");
CREATE UNIQUE INDEX "hosted_users_email" ON "hosted_users" USING btree ("email");
CREATE INDEX "attempts_subject" ON "attempts" USING btree ("kind","subject","at");
CREATE INDEX "attempts_at" ON "attempts" USING btree ("at");
CREATE INDEX "email_configs_id" ON "email_configs" USING btree ("id");
CREATE UNIQUE INDEX "email_configs_address" ON "email_configs" USING btree ("workspace_id","email_address","provider") WHERE deleted_at is null;
CREATE INDEX "deliveries_due" ON "deliveries" USING btree ("config_id","campaign_id","next_attempt_at","id") WHERE state in ('queued', 'deferred');
CREATE INDEX "deliveries_message" ON "deliveries" USING btree ("message_id","id");
CREATE INDEX "deliveries_trouble" ON "deliveries" USING btree ("config_id","id") WHERE state in ('failed', 'deferred');
CREATE INDEX "deliveries_leased" ON "deliveries" USING btree ("config_id","lease_owner") WHERE state = 'sending';
CREATE INDEX "messages_workspace" ON "messages" USING btree ("workspace_id","created_at");
CREATE INDEX "messages_tests" ON "messages" USING btree ("workspace_id","created_at") WHERE is_test;
CREATE INDEX "messages_campaign" ON "messages" USING btree ("campaign_id") WHERE campaign_id is not null;
CREATE INDEX "sandbox_messages_recipients" ON "sandbox_messages" USING gin ("recipients");
CREATE UNIQUE INDEX "suppressions_id" ON "suppressions" USING btree ("workspace_id","id");
CREATE INDEX "suppressions_list" ON "suppressions" USING btree ("workspace_id","created_at","id");
CREATE INDEX "suppressions_changed" ON "suppressions" USING btree ("workspace_id","changed_at");
CREATE UNIQUE INDEX "templates_key" ON "templates" USING btree ("workspace_id","key");
CREATE INDEX "templates_list" ON "templates" USING btree ("workspace_id","created_at","id") WHERE deleted_at is null;
CREATE INDEX "templates_deleted" ON "templates" USING btree ("deleted_at") WHERE deleted_at is not null;
ALTER TABLE "acceptances" ADD CONSTRAINT "acceptances_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "account_tokens" ADD CONSTRAINT "account_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "members" ADD CONSTRAINT "members_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "members" ADD CONSTRAINT "members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "pending_accounts" ADD CONSTRAINT "pending_accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "campaign_recipients" ADD CONSTRAINT "campaign_recipients_workspace_id_campaign_id_campaigns_workspace_id_id_fk" FOREIGN KEY ("workspace_id","campaign_id") REFERENCES "public"."campaigns"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "embed_audit" ADD CONSTRAINT "embed_audit_workspace_id_embed_id_embeds_workspace_id_id_fk" FOREIGN KEY ("workspace_id","embed_id") REFERENCES "public"."embeds"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "embed_audit" ADD CONSTRAINT "embed_audit_workspace_id_session_id_embed_sessions_workspace_id_id_fk" FOREIGN KEY ("workspace_id","session_id") REFERENCES "public"."embed_sessions"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "embed_codes" ADD CONSTRAINT "embed_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "embed_codes" ADD CONSTRAINT "embed_codes_workspace_id_embed_id_embeds_workspace_id_id_fk" FOREIGN KEY ("workspace_id","embed_id") REFERENCES "public"."embeds"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "embed_sessions" ADD CONSTRAINT "embed_sessions_workspace_id_embed_id_embeds_workspace_id_id_fk" FOREIGN KEY ("workspace_id","embed_id") REFERENCES "public"."embeds"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "embed_usage" ADD CONSTRAINT "embed_usage_workspace_id_embed_id_embeds_workspace_id_id_fk" FOREIGN KEY ("workspace_id","embed_id") REFERENCES "public"."embeds"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "embeds" ADD CONSTRAINT "embeds_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "hosted_tokens" ADD CONSTRAINT "hosted_tokens_user_id_hosted_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."hosted_users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "email_configs" ADD CONSTRAINT "email_configs_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "messages" ADD CONSTRAINT "messages_workspace_id_campaign_id_campaigns_workspace_id_id_fk" FOREIGN KEY ("workspace_id","campaign_id") REFERENCES "public"."campaigns"("workspace_id","id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "suppressions" ADD CONSTRAINT "suppressions_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "templates" ADD CONSTRAINT "templates_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;

-- Written by hand from here on: what the schema's language cannot express. `deliveries` above is partitioned by hand, too.

ALTER TABLE "members" ADD CONSTRAINT "members_role" CHECK (role in ('owner', 'admin', 'editor', 'viewer'));
ALTER TABLE "email_configs" ADD CONSTRAINT "email_configs_provider" CHECK (provider in ('gmail', 'outlook', 'yahoo', 'other', 'system'));
ALTER TABLE "email_configs" ADD CONSTRAINT "email_configs_status" CHECK (status in ('active', 'paused'));
ALTER TABLE "email_configs" ADD CONSTRAINT "email_configs_limits" CHECK (limit_per_minute > 0 and limit_per_day > 0 and limit_connections > 0);
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_status" CHECK (status in ('draft', 'scheduled', 'sending', 'paused', 'finished', 'cancelled', 'failed'));
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_state" CHECK (state in ('queued', 'sending', 'sent', 'deferred', 'failed', 'suppressed', 'cancelled', 'unknown'));
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_leased_while_sending" CHECK ((state = 'sending') = (lease_token is not null));
ALTER TABLE "suppressions" ADD CONSTRAINT "suppressions_reason" CHECK (reason in ('unsubscribed', 'bounced', 'complained', 'manual'));
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_state" CHECK (state in ('started', 'committed', 'answered') and (state = 'started') = (answer_sealed is null));
ALTER TABLE "workspace_directory" ADD CONSTRAINT "workspace_directory_state" CHECK (state in ('active', 'moving'));
ALTER TABLE "key_directory" ADD CONSTRAINT "key_directory_kind" CHECK (kind in ('secret_key', 'old_key', 'embed'));
ALTER TABLE "embeds" ADD CONSTRAINT "embeds_status" CHECK (status in ('active', 'paused'));
ALTER TABLE "embed_sessions" ADD CONSTRAINT "embed_sessions_opened_by" CHECK (
	(opened_by = 'key' AND key_config_id IS NOT NULL AND user_id IS NULL)
	OR (opened_by in ('token', 'consent') AND user_id IS NOT NULL AND key_config_id IS NULL)
);

-- Tables with few rows that change constantly: free space for new row versions beside the old ones, and frequent vacuum.
ALTER TABLE "mailbox_usage" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);
ALTER TABLE "mailbox_slots" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);
ALTER TABLE "delivery_counts" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);
ALTER TABLE "delivery_count_changes" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);
ALTER TABLE "hosted_collections" SET (fillfactor = 50);

-- The planner decides by the frequency of a filter's values. With the default sample, one matching row makes a rare value
-- look ten times as frequent as it is.
ALTER TABLE "hosted_documents" ALTER COLUMN "data" SET STATISTICS 500;

-- Search in a long suppression list by part of an address. pg_trgm ships with PostgreSQL, and the owner of a database may
-- create it; without it, the search scans the list.
DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX suppressions_email_parts ON suppressions USING gin (email gin_trgm_ops);
EXCEPTION WHEN OTHERS THEN
  RAISE NOTICE 'suppressions are searched without an index: %', SQLERRM;
END $$;

-- Every statement that changes deliveries also writes the changed counts, in the same transaction and as rows of its own,
-- so that concurrent statements do not block each other. The sum of new rows minus old rows needs no join between them. A
-- claim changes no count and writes none.
CREATE FUNCTION "delivery_note_counts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'UPDATE' THEN
		INSERT INTO delivery_count_changes (workspace_id, config_id, quarter_at, sent, failed, waiting)
			SELECT workspace_id, config_id, date_bin('15 minutes', at, 'epoch'), sum(sent), sum(failed), sum(waiting)
			FROM (
				SELECT workspace_id, config_id, coalesce(settled_at, created_at) AS at, (state = 'sent')::int AS sent,
					(state = 'failed')::int AS failed, (state IN ('queued', 'sending', 'deferred'))::int AS waiting
				FROM after
				UNION ALL
				SELECT workspace_id, config_id, coalesce(settled_at, created_at), -(state = 'sent')::int,
					-(state = 'failed')::int, -(state IN ('queued', 'sending', 'deferred'))::int
				FROM before
			) AS row
			GROUP BY 1, 2, 3 HAVING sum(sent) <> 0 OR sum(failed) <> 0 OR sum(waiting) <> 0;
	ELSIF TG_OP = 'INSERT' THEN
		INSERT INTO delivery_count_changes (workspace_id, config_id, quarter_at, sent, failed, waiting)
			SELECT workspace_id, config_id, date_bin('15 minutes', coalesce(settled_at, created_at), 'epoch'),
				count(*) FILTER (WHERE state = 'sent'), count(*) FILTER (WHERE state = 'failed'),
				count(*) FILTER (WHERE state IN ('queued', 'sending', 'deferred'))
			FROM after GROUP BY 1, 2, 3;
	ELSE
		INSERT INTO delivery_count_changes (workspace_id, config_id, quarter_at, sent, failed, waiting)
			SELECT workspace_id, config_id, date_bin('15 minutes', coalesce(settled_at, created_at), 'epoch'),
				-count(*) FILTER (WHERE state = 'sent'), -count(*) FILTER (WHERE state = 'failed'),
				-count(*) FILTER (WHERE state IN ('queued', 'sending', 'deferred'))
			FROM before GROUP BY 1, 2, 3;
	END IF;
	RETURN NULL;
END
$$;
CREATE TRIGGER "deliveries_counted_inserted" AFTER INSERT ON "deliveries"
	REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION "delivery_note_counts"();
CREATE TRIGGER "deliveries_counted_updated" AFTER UPDATE ON "deliveries"
	REFERENCING NEW TABLE AS after OLD TABLE AS before
	FOR EACH STATEMENT EXECUTE FUNCTION "delivery_note_counts"();
CREATE TRIGGER "deliveries_counted_deleted" AFTER DELETE ON "deliveries"
	REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION "delivery_note_counts"();

-- A changed password ends the embed sessions that the user opened, and those opened by secret keys of workspaces that the
-- user owns. A trigger, so that it holds for every statement that changes a password.
CREATE FUNCTION "embed_sessions_end_with_password"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE embed_sessions SET ended_at = now() WHERE user_id = NEW.id AND ended_at IS NULL;
	UPDATE embed_sessions AS s SET ended_at = now()
		FROM members AS m
		WHERE m.workspace_id = s.workspace_id AND m.user_id = NEW.id AND m.role = 'owner'
			AND s.key_config_id IS NOT NULL AND s.ended_at IS NULL;
	DELETE FROM embed_codes WHERE user_id = NEW.id;
	RETURN NULL;
END
$$;
CREATE TRIGGER "embed_sessions_end_with_password" AFTER UPDATE OF password_hash ON "users"
	FOR EACH ROW WHEN (OLD.password_hash IS DISTINCT FROM NEW.password_hash)
	EXECUTE FUNCTION "embed_sessions_end_with_password"();

-- A rotated or deleted secret key ends the embed sessions that it opened.
CREATE FUNCTION "embed_sessions_end_with_key"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE embed_sessions SET ended_at = now() WHERE key_config_id = NEW.id AND ended_at IS NULL;
	RETURN NULL;
END
$$;
CREATE TRIGGER "embed_sessions_end_with_key" AFTER UPDATE OF secret_key_lookup ON "email_configs"
	FOR EACH ROW WHEN (OLD.secret_key_lookup IS DISTINCT FROM NEW.secret_key_lookup)
	EXECUTE FUNCTION "embed_sessions_end_with_key"();

-- Every change of a document is counted, logged and announced in its own transaction. The collection's counter row stays
-- locked until that transaction ends, so change numbers follow the order of the commits without gaps: a reader that has
-- read up to a number has missed none below it. The trigger runs per statement: per row, n changes of one row in a
-- transaction would cost n squared.
CREATE FUNCTION "hosted_note_changes"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	touched_collection text;
	touched_count bigint;
	octets_delta bigint;
	last bigint;
BEGIN
	-- Nested, for a condition is planned as a whole, and only an update has its rows as they were before.
	IF TG_OP = 'UPDATE' THEN
		IF EXISTS (SELECT FROM touched LEFT JOIN before USING (collection, id) WHERE before.id IS NULL) THEN
			RAISE EXCEPTION 'A hosted document keeps its collection and its id.' USING ERRCODE = 'feature_not_supported';
		END IF;
	END IF;
	FOR touched_collection, touched_count, octets_delta IN
		SELECT collection, count(*), sum(octet_length(data::text)) FROM touched GROUP BY collection ORDER BY collection
	LOOP
		IF TG_OP = 'DELETE' THEN octets_delta := -octets_delta; END IF;
		IF TG_OP = 'UPDATE' THEN
			octets_delta := octets_delta
				- (SELECT sum(octet_length(data::text)) FROM before WHERE collection = touched_collection);
		END IF;
		INSERT INTO hosted_collections AS c (name, document_count, octets, last_change)
			VALUES (
				touched_collection,
				CASE TG_OP WHEN 'INSERT' THEN touched_count WHEN 'DELETE' THEN -touched_count ELSE 0 END,
				octets_delta,
				touched_count
			)
			ON CONFLICT (name) DO UPDATE SET
				document_count = c.document_count + excluded.document_count,
				octets = c.octets + excluded.octets,
				last_change = c.last_change + excluded.last_change
			RETURNING last_change INTO last;
		INSERT INTO hosted_changes (collection, id, kind, document_id, data, octets, created_at, updated_at)
			SELECT
				collection,
				last - touched_count + row_number() OVER (ORDER BY created_at, id),
				CASE TG_OP WHEN 'INSERT' THEN 'created' WHEN 'UPDATE' THEN 'updated' ELSE 'deleted' END,
				id,
				CASE WHEN TG_OP <> 'DELETE' THEN data END,
				CASE WHEN TG_OP <> 'DELETE' THEN octet_length(data::text) ELSE 0 END,
				created_at,
				updated_at
			FROM touched WHERE collection = touched_collection;
		PERFORM pg_notify('sendwright_hosted', touched_collection);
	END LOOP;
	RETURN NULL;
END
$$;
CREATE TRIGGER "hosted_documents_created" AFTER INSERT ON "hosted_documents"
	REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION "hosted_note_changes"();
CREATE TRIGGER "hosted_documents_updated" AFTER UPDATE ON "hosted_documents"
	REFERENCING NEW TABLE AS touched OLD TABLE AS before
	FOR EACH STATEMENT EXECUTE FUNCTION "hosted_note_changes"();
CREATE TRIGGER "hosted_documents_deleted" AFTER DELETE ON "hosted_documents"
	REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION "hosted_note_changes"();

-- The directories follow their sources in the same transaction, whichever statement changes them.
CREATE FUNCTION "workspace_directory_follow"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' THEN
		INSERT INTO workspace_directory (workspace_id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
	ELSE
		DELETE FROM workspace_directory WHERE workspace_id = OLD.id;
	END IF;
	RETURN NULL;
END
$$;
CREATE TRIGGER "workspace_directory_follow" AFTER INSERT OR DELETE ON "workspaces"
	FOR EACH ROW EXECUTE FUNCTION "workspace_directory_follow"();

CREATE FUNCTION "key_directory_follow_mailbox"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP <> 'INSERT' THEN
		DELETE FROM key_directory WHERE workspace_id = OLD.workspace_id AND object_id = OLD.id::text;
	END IF;
	IF TG_OP <> 'DELETE' THEN
		INSERT INTO key_directory (lookup_hash, workspace_id, kind, object_id)
			SELECT key.lookup_hash, NEW.workspace_id, key.kind, NEW.id::text
			FROM (VALUES (NEW.secret_key_lookup, 'secret_key'), (NEW.old_key_lookup, 'old_key')) AS key (lookup_hash, kind)
			WHERE key.lookup_hash IS NOT NULL;
	END IF;
	RETURN NULL;
END
$$;
CREATE TRIGGER "key_directory_add_mailbox" AFTER INSERT OR DELETE ON "email_configs"
	FOR EACH ROW EXECUTE FUNCTION "key_directory_follow_mailbox"();
CREATE TRIGGER "key_directory_change_mailbox" AFTER UPDATE OF secret_key_lookup, old_key_lookup ON "email_configs"
	FOR EACH ROW WHEN (
		OLD.secret_key_lookup IS DISTINCT FROM NEW.secret_key_lookup OR OLD.old_key_lookup IS DISTINCT FROM NEW.old_key_lookup
	) EXECUTE FUNCTION "key_directory_follow_mailbox"();

CREATE FUNCTION "key_directory_follow_embed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' THEN
		INSERT INTO key_directory (lookup_hash, workspace_id, kind, object_id)
			VALUES (sha256(convert_to(NEW.id, 'UTF8')), NEW.workspace_id, 'embed', NEW.id);
	ELSE
		DELETE FROM key_directory WHERE workspace_id = OLD.workspace_id AND object_id = OLD.id;
	END IF;
	RETURN NULL;
END
$$;
CREATE TRIGGER "key_directory_follow_embed" AFTER INSERT OR DELETE ON "embeds"
	FOR EACH ROW EXECUTE FUNCTION "key_directory_follow_embed"();
