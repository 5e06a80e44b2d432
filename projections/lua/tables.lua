-- One page of the list of tables, newest first: for each its place and its stored value.
--
-- KEYS: the indexes to merge, in which no table stands twice. ARGV: the place to begin before, the number of tables,
-- the key of a table without its id.

local found = {}
for _, index in ipairs(KEYS) do
  local members = redis.call('ZRANGE', index, ARGV[1], '-inf', 'BYSCORE', 'REV', 'LIMIT', 0, ARGV[2], 'WITHSCORES')
  for i = 1, #members, 2 do
    found[#found + 1] = {tonumber(members[i + 1]), members[i]}
  end
end
table.sort(found, function(one, other) return one[1] > other[1] end)

local page = {}
for i = 1, math.min(#found, tonumber(ARGV[2])) do
  page[i] = {found[i][1], redis.call('GET', ARGV[3] .. found[i][2])}
end
return page
