import { relayInvitationTags } from '@gatefold/protocol/relay'
import { defineScript } from '@redis/client'
import type { Entry, Found } from './messages.ts'

/*
 * The relay's data in Redis. Every change is one script, so it is atomic, and messages are published
 * to the other processes in the order in which they were stored.
 *
 *   seq                    last number given
 *   m:<topic>              stream: the waiting messages, with ids `<seq>-0`
 *   k:<topic>:<id>         string: seq of a known message
 *   a:<seq>                set: clients that have acknowledged the message
 *   w:<topic>              string: bytes of the waiting messages
 *   t:<seq>                string: an attestation published after its message
 *   s:<client>, c:<topic>  sets: the topics of a client, the clients of a topic
 *   x                      sorted set: `<topic>:<seq>:<bytes>` by expiry
 *   n:<topic>              channel that publishes the topic's messages
 *
 * Scripts compute keys that are not declared, so a relay needs one Redis (with replicas), not a Redis
 * Cluster.
 */

/** A function of the other scripts: deletes the body of a message. */
const drop = `
local function drop(prefix, topic, seq, bytes)
  if redis.call('XDEL', prefix .. 'm:' .. topic, seq .. '-0') == 0 then return end
  redis.call('ZREM', prefix .. 'x', topic .. ':' .. seq .. ':' .. bytes)
  redis.call('DEL', prefix .. 'a:' .. seq, prefix .. 't:' .. seq)
  if redis.call('DECRBY', prefix .. 'w:' .. topic, bytes) <= 0 then
    redis.call('DEL', prefix .. 'w:' .. topic, prefix .. 'm:' .. topic)
  end
end
`

/** A script whose only declared key is the prefix; `reply` is the type of its result. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- named where it is called
function script<reply>(text: string) {
  return defineScript({
    SCRIPT: text,
    NUMBER_OF_KEYS: 1,
    parseCommand(parser, prefix: string, ...args: string[]) {
      parser.pushKey(prefix)
      parser.push(...args)
    },
    transformReply: (reply: unknown) => reply as reply,
  })
}

/**
 * Arguments: now (ms), most messages, most bytes, ms that a message stays known, then for each message:
 * topic, id, bytes, ms to live, and the stream's fields: publisher, tag, attestation, message.
 *
 * @returns an outcome for each.
 */
const publishMessages = script<string[]>(`${drop}
local prefix, now = KEYS[1], tonumber(ARGV[1])
local most, mostBytes, known = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local outcomes = {}
for at = 5, #ARGV, 8 do
  local topic, id, bytes, ttl = ARGV[at], ARGV[at + 1], ARGV[at + 2], tonumber(ARGV[at + 3])
  local publisher, tag, attestation, message = unpack(ARGV, at + 4, at + 7)
  local key, stream = prefix .. 'k:' .. topic .. ':' .. id, prefix .. 'm:' .. topic
  local weight = prefix .. 'w:' .. topic
  local function isFull()
    return redis.call('XLEN', stream) >= most
      or tonumber(redis.call('GET', weight) or 0) + tonumber(bytes) > mostBytes
  end
  if isFull() then
    -- Expired messages take no room
    for _, entry in ipairs(redis.call('XRANGE', stream, '-', '+')) do
      if tonumber(entry[2][12]) <= now then
        drop(prefix, topic, string.match(entry[1], '^%d+'), math.max(1, #entry[2][14]))
      end
    end
  end
  local held = redis.call('GET', key)
  if held then
    if attestation ~= '' then redis.call('SET', prefix .. 't:' .. held, attestation, 'PX', ttl) end
    outcomes[#outcomes + 1] = 'known'
  elseif isFull() then
    outcomes[#outcomes + 1] = 'full'
  else
    local last = tonumber(redis.call('GET', prefix .. 'seq') or 0)
    local seq = string.format('%.0f', math.max(last + 1, now * 1000))
    redis.call('SET', prefix .. 'seq', seq)
    redis.call('SET', key, seq, 'PX', math.max(ttl, known))
    local expires = string.format('%.0f', now + ttl)
    redis.call('XADD', stream, seq .. '-0', 'id', id, 'publisher', publisher, 'tag', tag,
      'attestation', attestation, 'publishedAt', ARGV[1], 'expiresAt', expires, 'message', message)
    redis.call('INCRBY', weight, bytes)
    redis.call('ZADD', prefix .. 'x', expires, topic .. ':' .. seq .. ':' .. bytes)
    local head = cjson.encode({ seq, id, publisher, tag, attestation, ARGV[1], expires })
    redis.call('PUBLISH', prefix .. 'n:' .. topic, #head .. ':' .. head .. message)
    outcomes[#outcomes + 1] = 'stored'
  end
end
return outcomes
`)

/** Arguments: client, ms that the subscriptions live, topics. */
const addTopics = script<number>(`
local prefix, client, life = KEYS[1], ARGV[1], ARGV[2]
for at = 3, #ARGV do
  redis.call('SADD', prefix .. 's:' .. client, ARGV[at])
  redis.call('SADD', prefix .. 'c:' .. ARGV[at], client)
  redis.call('PEXPIRE', prefix .. 'c:' .. ARGV[at], life)
end
return redis.call('PEXPIRE', prefix .. 's:' .. client, life)
`)

/** Arguments: client, topics. */
const removeTopics = script<number>(`
local prefix, client = KEYS[1], ARGV[1]
for at = 2, #ARGV do
  redis.call('SREM', prefix .. 's:' .. client, ARGV[at])
  redis.call('SREM', prefix .. 'c:' .. ARGV[at], client)
end
return #ARGV - 1
`)

/** Lua condition for messages that are kept until they expire, for clients that subscribe later. */
const isInvitation = relayInvitationTags.map((tag) => `tag == '${tag}'`).join(' or ')

/**
 * Arguments: client, ms that a delivered message stays known, ms that an acknowledgement lives, then
 * topic and id of each. `allow-oom` (Redis 7) lets it run in a full Redis, where it frees memory.
 */
const acknowledge = script<number>(`#!lua flags=allow-oom
${drop}
local prefix, client, known, life = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
for at = 4, #ARGV, 2 do
  local topic, id = ARGV[at], ARGV[at + 1]
  local key = prefix .. 'k:' .. topic .. ':' .. id
  local seq = redis.call('GET', key)
  local entry = seq and redis.call('XRANGE', prefix .. 'm:' .. topic, seq .. '-0', seq .. '-0')[1]
  local publisher = entry and entry[2][4]
  if publisher and publisher ~= client then
    local acks = prefix .. 'a:' .. seq
    redis.call('SADD', acks, client)
    redis.call('PEXPIRE', acks, life)
    local tag = entry[2][6]
    local everyone = not (${isInvitation})
    for _, subscriber in ipairs(redis.call('SMEMBERS', prefix .. 'c:' .. topic)) do
      if subscriber ~= publisher and redis.call('SISMEMBER', acks, subscriber) == 0 then everyone = false end
    end
    if everyone then
      drop(prefix, topic, seq, math.max(1, #entry[2][14]))
      redis.call('PEXPIRE', key, known)
    end
  end
end
return 0
`)

/**
 * Arguments: client, now (ms), most messages, most bytes, the `seq` after which to start, topics.
 *
 * @returns for each topic the messages waiting for the client: not expired, published or acknowledged by it.
 */
const findWaiting = script<Found[]>(`
local prefix, client, now = KEYS[1], ARGV[1], tonumber(ARGV[2])
local most, room, after = tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
local page = 20
local topics = {}
for at = 6, #ARGV do
  local found, more, bytes, start = {}, 0, 0, '(' .. after .. '-0'
  repeat
    local entries = redis.call('XRANGE', prefix .. 'm:' .. ARGV[at], start, '+', 'COUNT', page)
    for _, entry in ipairs(entries) do
      start = '(' .. entry[1]
      local fields = entry[2]
      local seq = string.match(entry[1], '^%d+')
      if fields[4] ~= client and tonumber(fields[12]) > now
        and redis.call('SISMEMBER', prefix .. 'a:' .. seq, client) == 0 then
        bytes = bytes + #fields[14]
        if #found >= most or (#found > 0 and bytes > room) then
          more = 1
          break
        end
        found[#found + 1] = { tonumber(seq), #fields[14] }
      end
    end
  until more == 1 or #entries < page
  topics[#topics + 1] = { more, found }
end
return topics
`)

/** Arguments: pairs of topic and `seq`. @returns the messages that still exist. */
const readMessages = script<Entry[]>(`
local prefix = KEYS[1]
local entries = {}
for at = 1, #ARGV, 2 do
  local topic, seq = ARGV[at], ARGV[at + 1]
  local entry = redis.call('XRANGE', prefix .. 'm:' .. topic, seq .. '-0', seq .. '-0')[1]
  if entry then
    local fields = entry[2]
    if fields[8] == '' then fields[8] = redis.call('GET', prefix .. 't:' .. seq) or '' end
    entries[#entries + 1] = { topic, seq, fields }
  end
end
return entries
`)

/** Arguments: now (ms), most messages to delete. @returns the number of expired messages. */
const sweep = script<number>(`${drop}
local prefix = KEYS[1]
local over = redis.call('ZRANGEBYSCORE', prefix .. 'x', '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])
for _, member in ipairs(over) do
  local topic, seq, bytes = string.match(member, '^(%w+):(%d+):(%d+)$')
  redis.call('ZREM', prefix .. 'x', member)
  drop(prefix, topic, seq, bytes)
end
return #over
`)

/** @returns waiting topics, messages and bytes; for many messages an estimate from those that expire first. */
const weigh = script<[topics: number, messages: number, bytes: number]>(`
local prefix = KEYS[1]
local count, topics, distinct, bytes = redis.call('ZCARD', prefix .. 'x'), {}, 0, 0
local members = redis.call('ZRANGE', prefix .. 'x', 0, 9999)
for _, member in ipairs(members) do
  local topic, size = string.match(member, '^(%w+):%d+:(%d+)$')
  if not topics[topic] then distinct = distinct + 1 end
  topics[topic] = true
  bytes = bytes + size
end
local share = count > 0 and count / #members or 1
return { math.floor(distinct * share), count, math.floor(bytes * share) }
`)

export const scripts = {
  publishMessages,
  addTopics,
  removeTopics,
  acknowledge,
  findWaiting,
  readMessages,
  sweep,
  weigh,
}
