import { hash } from 'node:crypto'
import { defineScript } from '../redis/defineScript.ts'
import type { Redis } from '../redis/openRedis.ts'

/** Waiting bytes by the minute (Unix time) at which they are released. */
type Slots = ReadonlyMap<number, number>

/** A change of an account. */
export type Change = {
  /** What this process has used since its last report, in ms of the rate. */
  spentMs: number
  /** Bytes that wait since its last report; negative for those that no longer do. */
  slots?: Slots
  /** What to add as well, if the account then stays within its limits. */
  wanted?: {
    spentMs: number
    slots: Slots
    /** Most ms until what was used is replenished. */
    mostMs: number
    /** Most bytes that wait. */
    mostWaiting: number
  }
}

/** An account after a change. */
export type AccountState = {
  isGranted: boolean
  waiting: number
  /** Ms until everything that was used is replenished. */
  debtMs: number
}

/** Accounts in Redis that several processes share. */
export type SharedAccounts = {
  /** Changes an account. @throws while Redis does not answer, within {@link updateTimeoutMs}. */
  update(key: string, change: Change): Promise<AccountState>
}

/** Share of a limit that a process may use before it asks Redis whether others have used the rest. */
export const unreportedShare = 0.0625

/**
 * An account is a hash of its own, deleted when nothing waits and nothing is owed:
 *
 *   <minute>   bytes that are released at this minute
 *   waiting    their sum
 *   next       no minute is earlier
 *   last       no minute is later
 *   paid       when everything used is replenished, Unix time in ms
 *
 * A bucket of tokens is an account without bytes (generic cell rate algorithm).
 *
 * Arguments: now (ms), spent (ms), wanted: spent, most ms and most bytes (`-1` without), number of changed minutes,
 * these with their bytes, the wanted minutes with theirs. `allow-oom` (Redis 7): a full Redis still limits.
 */
const accountScript = defineScript<
  [granted: number, waiting: number, debtMs: number]
>(`#!lua flags=allow-oom
local key, now = KEYS[1], tonumber(ARGV[1])
local minute = math.floor(now / 60000)
local stored = redis.call('HMGET', key, 'waiting', 'next', 'last', 'paid')
local waiting, next = tonumber(stored[1] or 0), tonumber(stored[2] or 0)
local last, paid = tonumber(stored[3] or 0), tonumber(stored[4] or 0)
if next > 0 and next <= minute then
  next = 0
  local fields = redis.call('HGETALL', key)
  for at = 1, #fields, 2 do
    local slot = tonumber(fields[at])
    if slot and slot <= minute then
      waiting = waiting - tonumber(fields[at + 1])
      redis.call('HDEL', key, fields[at])
    elseif slot and (next == 0 or slot < next) then
      next = slot
    end
  end
end
local function add(slot, bytes)
  if slot <= minute then return end
  if redis.call('HINCRBY', key, slot, bytes) == 0 then redis.call('HDEL', key, slot) end
  waiting = waiting + bytes
  if next == 0 or slot < next then next = slot end
  if slot > last then last = slot end
end
local spent, wanted, mostMs, most = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local split = 6 + 2 * tonumber(ARGV[6])
for at = 7, split, 2 do add(tonumber(ARGV[at]), tonumber(ARGV[at + 1])) end
paid = math.max(paid, now) + spent
local granted = 0
if wanted >= 0 then
  local bytes = 0
  for at = split + 1, #ARGV, 2 do bytes = bytes + tonumber(ARGV[at + 1]) end
  if waiting + bytes <= most and paid + wanted <= now + mostMs then
    granted, paid = 1, paid + wanted
    for at = split + 1, #ARGV, 2 do add(tonumber(ARGV[at]), tonumber(ARGV[at + 1])) end
  end
end
redis.call('HSET', key, 'waiting', string.format('%.0f', waiting), 'next', next, 'last', last,
  'paid', string.format('%.3f', paid))
if redis.call('HLEN', key) == 4 then last = 0 end
local ends = math.max(last * 60000, math.ceil(paid))
if ends <= now then redis.call('DEL', key) else redis.call('PEXPIREAT', key, string.format('%.0f', ends)) end
return { granted, waiting, math.ceil(math.max(0, paid - now)) }
`)

/** How long an update waits for Redis. */
const updateTimeoutMs = 500

export function createSharedAccounts(options: { redis: Redis; now: () => number }): SharedAccounts {
  const { redis, now } = options
  return {
    async update(key, { spentMs, slots = new Map(), wanted }) {
      const args = [
        now(),
        spentMs,
        ...(wanted ? [wanted.spentMs, wanted.mostMs, wanted.mostWaiting] : [-1, 0, 0]),
        slots.size,
        ...[...slots].flat(),
        ...[...(wanted?.slots ?? [])].flat(),
      ]
      const call = redis.run(accountScript, `gatefold:budget:${key}`, ...args.map(String))
      const [granted, waiting, debtMs] = await within(updateTimeoutMs, call)
      return { isGranted: granted === 1, waiting, debtMs }
    },
  }
}

/** A short name of an account, by a secret: without it, addresses could be found by hashing all of them. */
export function accountKey(secret: string, kind: string, name: string): string {
  return kind + hash('sha256', `${secret} ${kind} ${name}`, 'base64url').slice(0, 12)
}

async function within<Result>(ms: number, call: Promise<Result>): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(reject, ms, new Error('Redis does not answer'))
  try {
    return await Promise.race([call, late])
  } finally {
    clearTimeout(timer)
  }
}
