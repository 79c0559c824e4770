import { relayInvitationTags } from '@gatefold/protocol/relay'
import { defineScript } from '../../../redis/defineScript.ts'
import { strangerReceipts } from '../RelayDriver.ts'
import type { Entry, Found } from './messages.ts'
import { partitionCount } from './partitions.ts'

/*
 * The relay's data in Redis. It is divided into partitions: each topic and each client belongs to one. Keys
 * and channels of a partition have the same prefix, such as `gatefold:relay:4:{17}:`. Because of the hash tag
 * `{17}`, a Redis Cluster keeps them in one hash slot. The only keys that a script declares are such prefixes: one
 * on a cluster, all that a commit changes on a single Redis.
 *
 * Every change to a partition is one script, so it is atomic, and messages are published to the relay
 * processes in the order in which they were stored.
 *
 * Only `readMessages` reads bodies, and only `findWaiting` reads the whole message list of a topic. So the work
 * of the other scripts does not depend on how much a topic holds.
 *
 *   seq                    last number that was assigned; modulo the number of partitions, the index of the partition
 *   m:<topic>              stream: the waiting messages without their bodies, with ids `<seq>-0`
 *   b:<seq>                hash: `message` and `attestation`
 *   e:<topic>              sorted set: `seq` of the waiting messages by expiry
 *   w:<topic>              string: bytes of the waiting messages and their attestations
 *   total                  hash: changes to the numbers of waiting `topics`, `messages` and `bytes`, which are the
 *                          sums over all partitions
 *   k:<topic>:<id>         string: seq of a known message, a space, and the name of the write that has stored it
 *   a:<seq>                set: clients that have acknowledged the message
 *   s:<client>, c:<topic>  sets: the topics of a client, the clients of a topic
 *   x                      sorted set: `<topic>:<seq>` by expiry
 *   n:<topic>              sharded channel that publishes the topic's messages
 */

/**
 * Lua functions for the scripts: `weigh` changes the messages and bytes of a topic, `drop` deletes a message, and
 * `finish` adds all changes to the totals of the first key. A script calls it once, after its last change.
 */
const drop = `
local totals = { topics = 0, messages = 0, bytes = 0 }
local function weigh(prefix, topic, messages, bytes)
  totals.messages, totals.bytes = totals.messages + messages, totals.bytes + bytes
  return redis.call('INCRBY', prefix .. 'w:' .. topic, bytes)
end
local function drop(prefix, topic, seq)
  local stream, body = prefix .. 'm:' .. topic, prefix .. 'b:' .. seq
  if redis.call('XDEL', stream, seq .. '-0') == 0 then return end
  local bytes = math.max(1, redis.call('HSTRLEN', body, 'message'))
    + redis.call('HSTRLEN', body, 'attestation')
  redis.call('ZREM', prefix .. 'x', topic .. ':' .. seq)
  redis.call('ZREM', prefix .. 'e:' .. topic, seq)
  redis.call('DEL', prefix .. 'a:' .. seq, body)
  weigh(prefix, topic, -1, -bytes)
  if redis.call('XLEN', stream) == 0 then
    redis.call('DEL', prefix .. 'w:' .. topic, stream)
    totals.topics = totals.topics - 1
  end
end
local function finish()
  for name, change in pairs(totals) do
    if change ~= 0 then redis.call('HINCRBY', KEYS[1] .. 'total', name, change) end
  end
end
`

/** Maximum number of expired messages that one script deletes to make room. */
const expiredAtOnce = 500

/**
 * Arguments: now (ms), maximum messages and bytes of a topic, time for which messages are deduplicated (ms), then for
 * each message: index of its key, topic, id, time to live (ms), publisher, tag, attestation, charge, name of the write,
 * message.
 *
 * @returns an outcome for each message. A repeated write gets the same outcomes, because it has the same name.
 */
const publishMessages = defineScript<string[]>(`${drop}
local now = tonumber(ARGV[1])
local maxCount, maxBytes, known = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local outcomes, room = {}, ${expiredAtOnce}
local counts, last = {}, {}
for at = 5, #ARGV, 10 do counts[ARGV[at]] = (counts[ARGV[at]] or 0) + 1 end
-- The first call for a key reserves the numbers of all its messages
local function nextSeq(key, prefix)
  if last[key] then
    last[key] = last[key] + ${partitionCount}
  else
    local partition = tonumber(string.match(prefix, '{(%d+)}'))
    local before = tonumber(redis.call('GET', prefix .. 'seq') or 0)
    local first = now * 1000 - (now * 1000) % ${partitionCount} + partition
    last[key] = math.max(before + ${partitionCount}, first)
    redis.call('SET', prefix .. 'seq', string.format('%.0f', last[key] + ${partitionCount} * (counts[key] - 1)))
  end
  return string.format('%.0f', last[key])
end
for at = 5, #ARGV, 10 do
  local prefix = KEYS[tonumber(ARGV[at])]
  local topic, id, ttl = ARGV[at + 1], ARGV[at + 2], tonumber(ARGV[at + 3])
  local publisher, tag, attestation, charge, write, message = unpack(ARGV, at + 4, at + 9)
  local key, stream = prefix .. 'k:' .. topic .. ':' .. id, prefix .. 'm:' .. topic
  local weight, count = tonumber(redis.call('GET', prefix .. 'w:' .. topic) or 0), redis.call('XLEN', stream)
  local bytes = math.max(1, #message) + #attestation
  local held, heldBy = string.match(redis.call('GET', key) or '', '^(%d+) (.*)$')
  while not held and room > 0 and (count >= maxCount or weight + bytes > maxBytes) do
    -- Expired messages do not count
    local seq = redis.call('ZRANGEBYSCORE', prefix .. 'e:' .. topic, '-inf', now, 'LIMIT', 0, 1)[1]
    if not seq then break end
    drop(prefix, topic, seq)
    room = room - 1
    weight, count = tonumber(redis.call('GET', prefix .. 'w:' .. topic) or 0), redis.call('XLEN', stream)
  end
  if held then
    local body = prefix .. 'b:' .. held
    if attestation ~= '' and weight + #attestation <= maxBytes
      and redis.call('EXISTS', body) == 1
      and redis.call('HSETNX', body, 'attestation', attestation) == 1 then
      weigh(prefix, topic, 0, #attestation)
    end
    outcomes[#outcomes + 1] = heldBy == write and 'stored' or 'known'
  elseif count >= maxCount or weight + bytes > maxBytes then
    outcomes[#outcomes + 1] = 'full'
  else
    local seq = nextSeq(ARGV[at], prefix)
    redis.call('SET', key, seq .. ' ' .. write, 'PX', math.max(ttl, known))
    local expires = string.format('%.0f', now + ttl)
    redis.call('XADD', stream, seq .. '-0', 'id', id, 'publisher', publisher, 'tag', tag,
      'publishedAt', ARGV[1], 'expiresAt', expires, 'bytes', bytes, 'charge', charge)
    redis.call('HSET', prefix .. 'b:' .. seq, 'message', message)
    if attestation ~= '' then redis.call('HSET', prefix .. 'b:' .. seq, 'attestation', attestation) end
    redis.call('ZADD', prefix .. 'e:' .. topic, expires, seq)
    redis.call('ZADD', prefix .. 'x', expires, topic .. ':' .. seq)
    weigh(prefix, topic, 1, bytes)
    if count == 0 then totals.topics = totals.topics + 1 end
    local head = cjson.encode({ seq, id, publisher, tag, attestation, ARGV[1], expires })
    redis.call('SPUBLISH', prefix .. 'n:' .. topic, #head .. ':' .. head .. message)
    outcomes[#outcomes + 1] = 'stored'
  end
end
finish()
return outcomes
`)

/**
 * Arguments: lifetime of the subscriptions (ms), then for each change in order: index of its key, set, member, and 1
 * to add or 0 to remove it.
 */
const changeSubscriptions = defineScript<number>(`
local life = ARGV[1]
for at = 2, #ARGV, 4 do
  local set, member = KEYS[tonumber(ARGV[at])] .. ARGV[at + 1], ARGV[at + 2]
  if ARGV[at + 3] == '1' then
    redis.call('SADD', set, member)
    redis.call('PEXPIRE', set, life)
  else
    redis.call('SREM', set, member)
  end
end
return 0
`)

/** Arguments: client. @returns its topics */
const readTopics = defineScript<string[]>(`
return redis.call('SMEMBERS', KEYS[1] .. 's:' .. ARGV[1])
`)

/** Lua condition for messages that are kept until they expire, for clients that subscribe later. */
const isInvitation = relayInvitationTags.map((tag) => `tag == '${tag}'`).join(' or ')

/**
 * Maximum subscribers of a topic whose messages are deleted once delivered. With more subscribers, the
 * messages stay until they expire, which bounds the work of an acknowledgement.
 */
const subscribersAtOnce = 20

/**
 * Arguments: time for which delivered messages are deduplicated (ms), lifetime of an acknowledgement (ms), then
 * for each acknowledgement: index of its key, client, topic and id of the message. With `allow-oom` (Redis 7), the
 * script also runs in a full Redis, where it frees memory.
 *
 * @returns the charges of the deleted messages.
 */
const acknowledge = defineScript<string[]>(`#!lua flags=allow-oom
${drop}
local known, life = ARGV[1], ARGV[2]
local dropped = {}
for at = 3, #ARGV, 4 do
  local prefix = KEYS[tonumber(ARGV[at])]
  local client, topic, id = ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
  local key = prefix .. 'k:' .. topic .. ':' .. id
  local seq = string.match(redis.call('GET', key) or '', '^%d+')
  local entry = seq and redis.call('XRANGE', prefix .. 'm:' .. topic, seq .. '-0', seq .. '-0')[1]
  local publisher = entry and entry[2][4]
  if publisher and publisher ~= client then
    local acks, subscribers = prefix .. 'a:' .. seq, prefix .. 'c:' .. topic
    local tag = entry[2][6]
    local everyone = not (${isInvitation}) and redis.call('SCARD', subscribers) <= ${subscribersAtOnce}
    for _, subscriber in ipairs(everyone and redis.call('SMEMBERS', subscribers) or {}) do
      if subscriber ~= publisher and subscriber ~= client and redis.call('SISMEMBER', acks, subscriber) == 0 then
        everyone = false
        break
      end
    end
    if everyone then
      drop(prefix, topic, seq)
      redis.call('PEXPIRE', key, known)
      -- Entries from older versions have no charge
      if (entry[2][14] or '') ~= '' then dropped[#dropped + 1] = entry[2][14] end
    elseif redis.call('SISMEMBER', subscribers, client) == 1
      or redis.call('SCARD', acks) < ${strangerReceipts} then
      redis.call('SADD', acks, client)
      redis.call('PEXPIRE', acks, life)
    end
  end
end
finish()
return dropped
`)

/** Number of messages that one script examines. It stops after the topic that exceeds this number. */
const examinedAtOnce = 1_000

/**
 * Arguments: client, now (ms), maximum messages, maximum bytes, the `seq` after which to start, topics.
 *
 * @returns for each topic the messages that wait for the client: those that have not expired and that the
 * client has neither published nor acknowledged. If the topics hold many messages, the list covers only
 * the first topics; call again with the others.
 */
const findWaiting = defineScript<Found[]>(`
local prefix, client, now = KEYS[1], ARGV[1], tonumber(ARGV[2])
local maxCount, room, after = tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
local page, examined = 100, 0
local topics = {}
for at = 6, #ARGV do
  local found, more, bytes, start = {}, 0, 0, '(' .. after .. '-0'
  repeat
    local entries = redis.call('XRANGE', prefix .. 'm:' .. ARGV[at], start, '+', 'COUNT', page)
    examined = examined + #entries
    for _, entry in ipairs(entries) do
      start = '(' .. entry[1]
      local fields = entry[2]
      local seq = string.match(entry[1], '^%d+')
      if fields[4] ~= client and tonumber(fields[10]) > now
        and redis.call('SISMEMBER', prefix .. 'a:' .. seq, client) == 0 then
        bytes = bytes + tonumber(fields[12])
        if #found >= maxCount or (#found > 0 and bytes > room) then
          more = 1
          break
        end
        found[#found + 1] = { tonumber(seq), tonumber(fields[12]) }
      end
    end
  until more == 1 or #entries < page
  topics[#topics + 1] = { more, found }
  if examined > ${examinedAtOnce} then break end
end
return topics
`)

/** Arguments: pairs of topic and `seq`. @returns the messages that still exist. */
const readMessages = defineScript<Entry[]>(`
local prefix = KEYS[1]
local entries = {}
for at = 1, #ARGV, 2 do
  local topic, seq = ARGV[at], ARGV[at + 1]
  local entry = redis.call('XRANGE', prefix .. 'm:' .. topic, seq .. '-0', seq .. '-0')[1]
  if entry then
    local body = redis.call('HMGET', prefix .. 'b:' .. seq, 'message', 'attestation')
    entries[#entries + 1] = { topic, seq, entry[2], body[1] or '', body[2] or '' }
  end
end
return entries
`)

/** Deletes expired messages. Arguments: now (ms), maximum messages to delete. @returns the number of deleted messages. */
const sweep = defineScript<number>(`${drop}
local prefix = KEYS[1]
local over = redis.call('ZRANGEBYSCORE', prefix .. 'x', '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])
for _, member in ipairs(over) do
  local topic, seq = string.match(member, '^(%w+):(%d+)$')
  redis.call('ZREM', prefix .. 'x', member)
  drop(prefix, topic, seq)
end
finish()
return #over
`)

/** @returns the totals of a partition: topics with waiting messages, waiting messages, and their bytes. */
const readTotals = defineScript<
  [topics: string | null, messages: string | null, bytes: string | null]
>(`
return redis.call('HMGET', KEYS[1] .. 'total', 'topics', 'messages', 'bytes')
`)

export const scripts = {
  publishMessages,
  changeSubscriptions,
  readTopics,
  acknowledge,
  findWaiting,
  readMessages,
  sweep,
  readTotals,
}
