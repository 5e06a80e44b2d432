-- Gives a new generation its number and adds it to the set of generations. The number is greater than all before. It is
-- taken from the clock, so it is also greater than numbers given before all keys were lost.
--
-- KEYS: the counter, the set of generations.

local time = redis.call('TIME')
local last = tonumber(redis.call('GET', KEYS[1]) or 0)
local number = string.format('%.0f', math.max(last + 1, time[1] * 1000000 + time[2]))
redis.call('SET', KEYS[1], number)
redis.call('SADD', KEYS[2], number)
return number
