-- Takes a lease that is free, or renews the caller's. Answers its epoch, or 0 while another holds the lease.
-- An epoch is greater than all numbers given before, and is taken from the clock, as a generation's number is.
--
-- KEYS: the lease, the counter. ARGV: the caller's name, milliseconds until the lease ends.

local holder = redis.call('HGET', KEYS[1], 'holder')
if holder and holder ~= ARGV[1] then
  return '0'
end
if not holder then
  local time = redis.call('TIME')
  local last = tonumber(redis.call('GET', KEYS[2]) or 0)
  local epoch = string.format('%.0f', math.max(last + 1, time[1] * 1000000 + time[2]))
  redis.call('SET', KEYS[2], epoch)
  redis.call('HSET', KEYS[1], 'holder', ARGV[1], 'epoch', epoch)
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return redis.call('HGET', KEYS[1], 'epoch')
