-- Counts deals in archive.tally as they are now instead of as they were.
CREATE FUNCTION archive.count_deals(were archive.deal[], are archive.deal[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
    -- In one order, so that two that count never wait for each other.
    INSERT INTO archive.tally AS t
    SELECT
        r.game, r.player, r.listed, r.month, r.contract, r.outcome, r.seat, r.declares,
        sum(r.deals), sum(r.won), sum(r.lost), sum(r.points), sum(r.squares)
    FROM (
        SELECT * FROM archive.results_of_deals(were, -1) UNION ALL SELECT * FROM archive.results_of_deals(are, 1)
    ) r
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
    ORDER BY 1, 2, 3, 4, 5, 6, 7, 8
    ON CONFLICT (game, player, listed, month, contract, outcome, seat, declares) DO UPDATE SET
        deals = t.deals + excluded.deals, won = t.won + excluded.won, lost = t.lost + excluded.lost,
        points = t.points + excluded.points, squares = t.squares + excluded.squares;
END
$$;
