-- Applies one batch to one shard, and moves the shard's checkpoint with it.
--
-- KEYS: the checkpoint, then the key of each write.
-- ARGV: the caller's epoch; position and event hash of the batch's start, then of its end; then for each write its
--       command, the number of its arguments after the key, and these arguments.
--
-- Answers applied; lost where there is no checkpoint; fenced where a newer lease has claimed the shard; elsewhere where
-- the shard is not at the batch's start.
--
-- A value that is SET begins with its version. It does not replace a value of the same version or of a newer one.

local at = redis.call('HMGET', KEYS[1], 'epoch', 'position', 'hash')
if not at[2] then
  return 'lost'
elseif tonumber(at[1]) > tonumber(ARGV[1]) then
  return 'fenced'
elseif at[2] ~= ARGV[2] or at[3] ~= ARGV[3] then
  return 'elsewhere'
end

local function version(value)
  return tonumber(string.match(value, '^%d+')) or 0
end

local argument = 6
for write = 2, #KEYS do
  local command, count = ARGV[argument], tonumber(ARGV[argument + 1])
  local first, last = argument + 2, argument + 1 + count
  local old = command == 'SET' and version(redis.call('GETRANGE', KEYS[write], 0, 19))
  if not old or old < version(ARGV[first]) then
    redis.call(command, KEYS[write], unpack(ARGV, first, last))
  end
  argument = last + 1
end

redis.call('HSET', KEYS[1], 'epoch', ARGV[1], 'position', ARGV[4], 'hash', ARGV[5])
return 'applied'
