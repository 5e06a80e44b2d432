-- Puts up the fence: from now on the shard takes nothing from holders of older leases.
--
-- KEYS: the checkpoint. ARGV: the caller's epoch. Answers the position and event hash that the shard has come to.

local at = redis.call('HMGET', KEYS[1], 'epoch', 'position', 'hash')
if not at[2] then
  return 'lost'
elseif tonumber(at[1]) > tonumber(ARGV[1]) then
  return 'fenced'
end
redis.call('HSET', KEYS[1], 'epoch', ARGV[1])
return {at[2], at[3]}
