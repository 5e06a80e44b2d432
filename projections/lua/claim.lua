-- Sets the fence: from now on the shard refuses writes of older leases. Notes that the caller's version folds from now on.
--
-- KEYS: the checkpoint. ARGV: the caller's epoch, the version of its fold. Answers the shard's position and event hash.

local at = redis.call('HMGET', KEYS[1], 'epoch', 'position', 'hash', 'fold')
if not at[2] then
  return 'lost'
elseif tonumber(at[1]) > tonumber(ARGV[1]) then
  return 'fenced'
end
redis.call('HSET', KEYS[1], 'epoch', ARGV[1], 'fold', math.min(at[4] or 0, ARGV[2]))
return {at[2], at[3]}
