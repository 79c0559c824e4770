import { hash } from 'node:crypto'
import { defineScript } from '../redis/defineScript.ts'
import type { Redis } from '../redis/openRedis.ts'

/** Bytes of waiting messages, by the minute (of Unix time) in which they are released. */
type Slots = ReadonlyMap<number, number>

/** A change to an account. */
export type Change = {
  /** Without a name, a change that is repeated counts twice. */
  report?: {
    /** Unique name of the change. For {@link repeatableMs}, Redis applies a change of this name only once. */
    name: string
    /** Names of earlier changes to this account that are not repeated, because Redis has replied to them. */
    answered: readonly string[]
  }
  /** Usage by this process since its last report, as the time in ms that replenishes it. */
  spentMs: number
  /** Changes to the bytes of waiting messages since the last report; negative for bytes that were released. */
  slots?: Slots
  /** An additional charge, granted only if the account stays within its limits. */
  wanted?: {
    spentMs: number
    slots: Slots
    /** Maximum time until everything used is replenished, in ms. */
    maxMs: number
    /** Maximum bytes of waiting messages. */
    maxWaiting: number
  }
}

/** An account after a change. */
export type AccountState = {
  /** Whether the additional charge was granted; for a repeated change, whether it was granted the first time. */
  isGranted: boolean
  /** Bytes of waiting messages. */
  waiting: number
  /** Time until everything used is replenished, in ms. */
  debtMs: number
}

/** Accounts that several processes share on one Redis. */
export type SharedAccounts = {
  /** Changes an account. @throws if Redis does not respond within {@link updateTimeoutMs}. */
  update(key: string, change: Change): Promise<AccountState>
}

/** Share of a limit that a process may use before it reports the usage to Redis. */
export const unreportedShare = 0.0625

/** How long Redis recognizes a change that is repeated after a lost reply, in ms. */
const repeatableMs = 5 * 60_000

/**
 * Each account is a Redis hash. It is deleted once it has no waiting bytes and everything used is replenished.
 * Its fields are:
 *
 *   <minute>   bytes that are released in this minute
 *   waiting    the sum of these bytes
 *   next       a lower bound of these minutes
 *   last       an upper bound of these minutes
 *   paid       Unix time in ms at which everything used is replenished
 *
 * An account without bytes is a token bucket (generic cell rate algorithm).
 *
 * A key for each named change contains whether its additional charge was granted. Its hash tag is the account's key.
 *
 * Arguments: now (ms), spent (ms), the additional charge as spent ms (`-1` for none), maximum ms and maximum bytes,
 * the name of the change (may be empty), the numbers of answered names and of changed minutes, the answered names, the
 * changed minutes with their bytes, the minutes of the additional charge with their bytes. With `allow-oom` (Redis 7),
 * limits also apply in a full Redis.
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
local spent, wanted, maxMs, maxWaiting = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local name, first = ARGV[6], 9 + tonumber(ARGV[7])
local split = first + 2 * tonumber(ARGV[8])
local function recordOf(name) return '{' .. key .. '}:' .. name end
for at = 9, first - 1 do redis.call('DEL', recordOf(ARGV[at])) end
local granted = name ~= '' and tonumber(redis.call('GET', recordOf(name)))
if not granted then
  granted = 0
  for at = first, split - 1, 2 do add(tonumber(ARGV[at]), tonumber(ARGV[at + 1])) end
  paid = math.max(paid, now) + spent
  if wanted >= 0 then
    local bytes = 0
    for at = split, #ARGV, 2 do bytes = bytes + tonumber(ARGV[at + 1]) end
    if waiting + bytes <= maxWaiting and paid + wanted <= now + maxMs then
      granted, paid = 1, paid + wanted
      for at = split, #ARGV, 2 do add(tonumber(ARGV[at]), tonumber(ARGV[at + 1])) end
    end
  end
  if name ~= '' then redis.call('SET', recordOf(name), granted, 'PX', ${repeatableMs}) end
end
redis.call('HSET', key, 'waiting', string.format('%.0f', waiting), 'next', next, 'last', last,
  'paid', string.format('%.3f', paid))
if redis.call('HLEN', key) == 4 then last = 0 end
local ends = math.max(last * 60000, math.ceil(paid))
if ends <= now then redis.call('DEL', key) else redis.call('PEXPIREAT', key, string.format('%.0f', ends)) end
return { granted, waiting, math.ceil(math.max(0, paid - now)) }
`)

/** How long an update waits for Redis, in ms. */
const updateTimeoutMs = 500

export function createSharedAccounts(options: { redis: Redis; now: () => number }): SharedAccounts {
  const { redis, now } = options
  return {
    async update(key, { report, spentMs, slots = new Map(), wanted }) {
      const answered = report?.answered ?? []
      const args = [
        now(),
        spentMs,
        ...(wanted ? [wanted.spentMs, wanted.maxMs, wanted.maxWaiting] : [-1, 0, 0]),
        report?.name ?? '',
        answered.length,
        slots.size,
        ...answered,
        ...[...slots].flat(),
        ...[...(wanted?.slots ?? [])].flat(),
      ]
      const call = redis.run(accountScript, `gatefold:budget:${key}`, ...args.map(String))
      const [granted, waiting, debtMs] = await within(updateTimeoutMs, call)
      return { isGranted: granted === 1, waiting, debtMs }
    },
  }
}

/**
 * A short name of an account, hashed with a secret. Without the secret, anyone who can read Redis could find the
 * address of an account by hashing all addresses.
 */
export function accountKey(secret: string, kind: string, name: string): string {
  return kind + hash('sha256', `${secret} ${kind} ${name}`, 'base64url').slice(0, 12)
}

async function within<Result>(ms: number, call: Promise<Result>): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(reject, ms, new Error('Redis does not respond'))
  try {
    return await Promise.race([call, late])
  } finally {
    clearTimeout(timer)
  }
}
