-- Points requests to a generation, unless it was dropped or they use a newer one already.
--
-- KEYS: the pointer, the set of generations. ARGV: the generation's shape, its number.

local current = redis.call('GET', KEYS[1])
if redis.call('SISMEMBER', KEYS[2], ARGV[2]) == 0 then
  return 0
elseif current and tonumber(string.match(current, '%d+$')) >= tonumber(ARGV[2]) then
  return 0
end
redis.call('SET', KEYS[1], ARGV[1] .. ':' .. ARGV[2])
return 1
