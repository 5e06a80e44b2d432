-- Counts a failed attempt of a webhook that the caller has locked, and pauses the webhook: after `in_a_row` failures
-- for `first_pause`, and twice as long each time, at most `longest_pause`; in any case until `wanted_until`, if its
-- receiver has asked to be left alone.
--
-- Its player and its host are paused likewise. For a webhook without any delivery so far, the failures of the player's
-- other webhooks, and of others for the host, count too: one that is added beside or instead of them does not start
-- afresh.
CREATE FUNCTION codille.fail_webhook(
    kept codille.webhook, moment timestamptz, wanted_until timestamptz, in_a_row integer, first_pause interval,
    longest_pause interval
) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    shared integer;
    counted integer;
    pause_until timestamptz;
BEGIN
    -- Concurrent failures wait here, and count this one. Players are locked before hosts.
    INSERT INTO codille.webhook_pause AS p (whose, name, failures, at)
    VALUES ('player', kept.player_id::text, 0, moment), ('host', kept.host, 0, moment)
    ON CONFLICT (whose, name) DO UPDATE SET at = excluded.at;
    SELECT max(p.failures) INTO shared FROM codille.webhook_pause p
    WHERE (p.whose, p.name) IN (('player', kept.player_id::text), ('host', kept.host));
    counted := CASE WHEN kept.proven THEN kept.failures ELSE greatest(kept.failures, shared) END + 1;
    IF counted >= in_a_row THEN
        -- The exponent is bounded, since a webhook may fail for days.
        pause_until := moment + least(first_pause * 2 ^ least(counted - in_a_row, 20), longest_pause);
    END IF;
    UPDATE codille.webhook w SET
        failures = counted, failing_since = coalesce(w.failing_since, moment), prompt = false,
        paused_until = greatest(pause_until, wanted_until)
    WHERE w.id = kept.id;
    UPDATE codille.webhook_pause p SET
        failures = greatest(p.failures, counted), paused_until = greatest(p.paused_until, pause_until)
    WHERE (p.whose, p.name) IN (('player', kept.player_id::text), ('host', kept.host));
END
$$;
