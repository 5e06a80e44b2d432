-- Returns if the server can write: it accepts writes, and its disk has room for another file. The small work_mem makes
-- the rows go to a temporary file, which is removed at once. That needs free disk space, whereas an insertion would
-- often fit into space that its table already has. Nothing is logged or kept.
CREATE FUNCTION codille.check_writing() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET work_mem = '64kB'
AS $$
BEGIN
    IF current_setting('transaction_read_only')::boolean THEN
        RAISE read_only_sql_transaction USING MESSAGE = 'the server takes no writes';
    END IF;
    PERFORM count(*) FROM generate_series(1, 16384);
END
$$;
