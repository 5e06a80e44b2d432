-- Sets the fence: from now on the shard refuses writes of older leases.
--
-- KEYS: the checkpoint. ARGV: the caller's epoch. Answers the shard's position and event hash.

local at = redis.call('HMGET', KEYS[1], 'epoch', 'position', 'hash')
if not at[2] then
  return 'lost'
elseif tonumber(at[1]) > tonumber(ARGV[1]) then
  return 'fenced'
end
redis.call('HSET', KEYS[1], 'epoch', ARGV[1])
return {at[2], at[3]}
