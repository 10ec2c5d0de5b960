CREATE TABLE "pending_accounts" (
	"handle_hash" "bytea" PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "staged_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "templates" ADD COLUMN "name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "pending_accounts" ADD CONSTRAINT "pending_accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "pending_accounts_user" ON "pending_accounts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "pending_accounts_expiry" ON "pending_accounts" USING btree ("expires_at");