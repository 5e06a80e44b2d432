-- One page of a leaderboard: for each player the ranking's member, how many have a better total, and the tally.
--
-- KEYS: the ranking, the tallies. ARGV: where to begin, the number of players.

local page = {}
for i, member in ipairs(redis.call('ZRANGE', KEYS[1], ARGV[1], '+', 'BYLEX', 'LIMIT', 0, ARGV[2])) do
  local total, player = string.match(member, '^(%d+:)(.*)$')
  page[i] = {member, redis.call('ZLEXCOUNT', KEYS[1], '-', '(' .. total), redis.call('HGET', KEYS[2], player)}
end
return page
