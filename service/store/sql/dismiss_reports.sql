-- Settles the reports of a thing, of which `of_report` is one. Returns how many were open.
CREATE FUNCTION codille.dismiss_reports(of_report uuid, moment timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    settled integer;
BEGIN
    UPDATE codille.report r SET dismissed_at = moment
    WHERE r.dismissed_at IS NULL AND r.thing = (SELECT one.thing FROM codille.report one WHERE one.id = of_report);
    GET DIAGNOSTICS settled = ROW_COUNT;
    RETURN settled;
END
$$;
