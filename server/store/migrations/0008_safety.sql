CREATE TABLE "clock_jumps" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "clock_jumps_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"jump_ms" double precision NOT NULL,
	"noticed_at" timestamp with time zone DEFAULT now() NOT NULL
);
