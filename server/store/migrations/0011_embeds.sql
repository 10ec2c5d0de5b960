CREATE TABLE "embed_audit" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "embed_audit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"embed_id" text NOT NULL,
	"session_id" uuid NOT NULL,
	"act" text NOT NULL,
	"message_id" uuid,
	"recipient_count" integer DEFAULT 0 NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "embed_codes" (
	"code_hash" "bytea" PRIMARY KEY NOT NULL,
	"embed_id" text NOT NULL,
	"user_id" uuid NOT NULL,
	"origin" text NOT NULL,
	"scopes" text[] NOT NULL,
	"challenge" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "embed_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
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
--> statement-breakpoint
CREATE TABLE "embed_usage" (
	"embed_id" text NOT NULL,
	"day" date NOT NULL,
	"recipient_count" integer NOT NULL,
	CONSTRAINT "embed_usage_embed_id_day_pk" PRIMARY KEY("embed_id","day")
);
--> statement-breakpoint
CREATE TABLE "embeds" (
	"id" text PRIMARY KEY NOT NULL,
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
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "templates" ADD COLUMN "is_public" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "embed_audit" ADD CONSTRAINT "embed_audit_embed_id_embeds_id_fk" FOREIGN KEY ("embed_id") REFERENCES "public"."embeds"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "embed_audit" ADD CONSTRAINT "embed_audit_session_id_embed_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."embed_sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "embed_codes" ADD CONSTRAINT "embed_codes_embed_id_embeds_id_fk" FOREIGN KEY ("embed_id") REFERENCES "public"."embeds"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "embed_codes" ADD CONSTRAINT "embed_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "embed_sessions" ADD CONSTRAINT "embed_sessions_embed_id_embeds_id_fk" FOREIGN KEY ("embed_id") REFERENCES "public"."embeds"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "embed_usage" ADD CONSTRAINT "embed_usage_embed_id_embeds_id_fk" FOREIGN KEY ("embed_id") REFERENCES "public"."embeds"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "embeds" ADD CONSTRAINT "embeds_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "embed_audit_list" ON "embed_audit" USING btree ("embed_id","id");--> statement-breakpoint
CREATE INDEX "embed_audit_session" ON "embed_audit" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "embed_audit_message" ON "embed_audit" USING btree ("message_id") WHERE message_id is not null;--> statement-breakpoint
CREATE INDEX "embed_codes_expires" ON "embed_codes" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "embed_sessions_token_hash" ON "embed_sessions" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "embed_sessions_list" ON "embed_sessions" USING btree ("embed_id","created_at","id");--> statement-breakpoint
CREATE INDEX "embed_sessions_expires" ON "embed_sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "embed_sessions_user" ON "embed_sessions" USING btree ("user_id") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "embed_sessions_key" ON "embed_sessions" USING btree ("key_config_id") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "embeds_workspace" ON "embeds" USING btree ("workspace_id","created_at");--> statement-breakpoint
CREATE INDEX "embeds_origins" ON "embeds" USING gin ("allowed_origins");--> statement-breakpoint
-- Written by hand: what the schema's language cannot say.

ALTER TABLE "embeds" ADD CONSTRAINT "embeds_status" CHECK (status in ('active', 'paused'));--> statement-breakpoint
ALTER TABLE "embed_sessions" ADD CONSTRAINT "embed_sessions_opened_by" CHECK (
	(opened_by = 'key' AND key_config_id IS NOT NULL AND user_id IS NULL)
	OR (opened_by in ('token', 'consent') AND user_id IS NOT NULL AND key_config_id IS NULL)
);--> statement-breakpoint

-- A new password ends what the person let in, and what was let in by keys of workspaces that are theirs. Here, so that no way
-- of changing a password can forget it.
CREATE FUNCTION "embed_sessions_end_with_password"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE embed_sessions SET ended_at = now() WHERE user_id = NEW.id AND ended_at IS NULL;
	UPDATE embed_sessions AS s SET ended_at = now()
		FROM embeds AS e JOIN members AS m ON m.workspace_id = e.workspace_id
		WHERE e.id = s.embed_id AND m.user_id = NEW.id AND m.role = 'owner'
			AND s.key_config_id IS NOT NULL AND s.ended_at IS NULL;
	DELETE FROM embed_codes WHERE user_id = NEW.id;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "embed_sessions_end_with_password" AFTER UPDATE OF password_hash ON "users"
	FOR EACH ROW WHEN (OLD.password_hash IS DISTINCT FROM NEW.password_hash)
	EXECUTE FUNCTION "embed_sessions_end_with_password"();--> statement-breakpoint

-- A secret key that was rotated or deleted ends what it let in.
CREATE FUNCTION "embed_sessions_end_with_key"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE embed_sessions SET ended_at = now() WHERE key_config_id = NEW.id AND ended_at IS NULL;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "embed_sessions_end_with_key" AFTER UPDATE OF secret_key_lookup ON "email_configs"
	FOR EACH ROW WHEN (OLD.secret_key_lookup IS DISTINCT FROM NEW.secret_key_lookup)
	EXECUTE FUNCTION "embed_sessions_end_with_key"();
