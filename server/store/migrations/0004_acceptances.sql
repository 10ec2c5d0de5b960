CREATE TABLE "acceptances" (
	"user_id" uuid NOT NULL,
	"document" text NOT NULL,
	"document_date" date NOT NULL,
	"accepted_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "acceptances_user_id_document_document_date_pk" PRIMARY KEY("user_id","document","document_date")
);
--> statement-breakpoint
ALTER TABLE "acceptances" ADD CONSTRAINT "acceptances_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;