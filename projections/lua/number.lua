-- A number greater than all before, for a new generation, which is noted. It is taken from the clock, so that it is
-- greater also than those that were given before all keys were lost.
--
-- KEYS: the counter, the set of generations.

local time = redis.call('TIME')
local last = tonumber(redis.call('GET', KEYS[1]) or 0)
local number = string.format('%.0f', math.max(last + 1, time[1] * 1000000 + time[2]))
redis.call('SET', KEYS[1], number)
redis.call('SADD', KEYS[2], number)
return number
