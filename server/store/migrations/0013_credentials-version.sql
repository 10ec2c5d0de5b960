ALTER TABLE "email_configs" ADD COLUMN "credentials_version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
-- Written by hand
-- Searching a long list by part of an address. PostgreSQL's own packages carry pg_trgm, and an owner of the database may
-- switch it on; where that is not so, the list is looked through as before.
DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX suppressions_email_parts ON suppressions USING gin (email gin_trgm_ops);
EXCEPTION WHEN OTHERS THEN
  RAISE NOTICE 'suppressions are searched without an index: %', SQLERRM;
END $$;
