ALTER TABLE "contact_touches" DROP CONSTRAINT "contact_touches_workspace_id_contact_id_pk";--> statement-breakpoint
ALTER TABLE "contact_touches" ADD COLUMN "id" bigint NOT NULL GENERATED ALWAYS AS IDENTITY (sequence name "contact_touches_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1);--> statement-breakpoint
ALTER TABLE "contact_touches" ADD CONSTRAINT "contact_touches_workspace_id_id_pk" PRIMARY KEY("workspace_id","id");--> statement-breakpoint
ALTER TABLE "erased_addresses" ADD COLUMN "old_address_hashes" "bytea"[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "erased_addresses" ADD COLUMN "removed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "erased_addresses" ADD COLUMN "lease_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "segments" ADD COLUMN "next_evaluation_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "erased_addresses_pending" ON "erased_addresses" USING btree ("workspace_id","at") WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX "segments_live" ON "segments" USING btree ("workspace_id","id") WHERE is_live and deleted_at is null;