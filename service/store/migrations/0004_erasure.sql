-- What is recorded is changed in one way alone, and only by the owner: the words that an event has sealed for everyone
-- are erased, once a later event of the table says so. What the hashes cover stays as it is.

CREATE FUNCTION codille.only_erase() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    kept CONSTANT jsonb := convert_from(OLD.sealed, 'UTF8')::jsonb - 'public';
    left_over CONSTANT jsonb := convert_from(NEW.sealed, 'UTF8')::jsonb;
BEGIN
    OLD.sealed := NEW.sealed;
    IF NEW IS DISTINCT FROM OLD OR left_over IS DISTINCT FROM kept OR NOT EXISTS (
        SELECT FROM codille.event e
        WHERE e.table_id = OLD.table_id AND e.version > OLD.version AND e.type = 'text-erased'
            AND convert_from(e.public, 'UTF8')::jsonb = jsonb_build_object('audience', 'public', 'version', OLD.version)
    ) THEN
        RAISE EXCEPTION 'UPDATE on event refused: the log is append-only' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;

DROP TRIGGER append_only ON codille.event;
CREATE TRIGGER append_only BEFORE DELETE OR TRUNCATE ON codille.event EXECUTE FUNCTION codille.refuse();
CREATE TRIGGER only_erase BEFORE UPDATE ON codille.event FOR EACH ROW EXECUTE FUNCTION codille.only_erase();
