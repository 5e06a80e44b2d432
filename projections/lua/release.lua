-- Releases the lease if the caller holds it.
--
-- KEYS: the lease. ARGV: the caller's name.

if redis.call('HGET', KEYS[1], 'holder') == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
