-- What deals count for in archive.tally, times `sign`: each seat's result for its player, and for everybody.
CREATE FUNCTION archive.results_of_deals(deals archive.deal[], sign integer) RETURNS SETOF archive.tally
LANGUAGE sql SET search_path = pg_catalog, pg_temp
AS $$
    SELECT
        d.game, whose.player, d.listed AND NOT d.bots, date_trunc('month', d.at AT TIME ZONE 'UTC')::date,
        coalesce(d.contract, ''), d.outcome, (s.seat - 1)::smallint, d.declarer IS NOT DISTINCT FROM s.seat - 1,
        sign, sign * (s.result > 0)::integer, sign * (s.result < 0)::integer, sign * s.result,
        sign * s.result::numeric * s.result
    FROM unnest(deals) d
    CROSS JOIN LATERAL unnest(d.players, d.results) WITH ORDINALITY s (player, result, seat)
    CROSS JOIN LATERAL (
        SELECT s.player WHERE s.player IS NOT NULL
        UNION ALL
        SELECT '00000000-0000-0000-0000-000000000000'::uuid WHERE d.listed AND NOT d.bots
    ) whose (player)
$$;
