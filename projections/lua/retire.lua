-- Removes the pointer if it points to this generation, which is useless.
--
-- KEYS: the pointer. ARGV: the pointer's value for that generation.

if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
