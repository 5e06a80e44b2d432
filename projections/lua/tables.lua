-- One page of the list of tables, the newest first: for each its key in the list and its stored value.
--
-- KEYS: the indexes to merge; no table is in two of them. ARGV: the key to begin before, the number of tables,
-- the key of a table without its id.

local tables = {}
for _, index in ipairs(KEYS) do
  local members = redis.call('ZRANGE', index, ARGV[1], '-inf', 'BYSCORE', 'REV', 'LIMIT', 0, ARGV[2], 'WITHSCORES')
  for i = 1, #members, 2 do
    tables[#tables + 1] = {tonumber(members[i + 1]), members[i]}
  end
end
table.sort(tables, function(one, other) return one[1] > other[1] end)

local page = {}
for i = 1, math.min(#tables, tonumber(ARGV[2])) do
  page[i] = {tables[i][1], redis.call('GET', ARGV[3] .. tables[i][2])}
end
return page
