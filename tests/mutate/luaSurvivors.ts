import type { Survivor } from './survivors/Survivor.ts'

const accounts = 'packages/server/src/accounts/createSharedAccounts.ts'

const scripts = 'packages/server/src/relay/drivers/redis/scripts.ts'

/** The changes to Lua scripts that no test detects, and the reasons. */
export const luaSurvivors: readonly Survivor[] = [
  {
    file: accounts,
    code: '0',
    to: '1',
    why: 'An account that is not stored then has fields of the year 1970, with the same result as without fields.',
    equivalent: true,
  },
  {
    file: accounts,
    code: '>',
    to: '>=',
    why: 'An account without minutes is then read as a whole, and it has four fields; the last minute is replaced by itself.',
    equivalent: true,
  },
  {
    file: accounts,
    code: '<',
    to: '<=',
    why: 'The lower bound is replaced by itself.',
    equivalent: true,
  },
  {
    file: scripts,
    code: 'change ~= 0',
    to: 'true',
    why: 'Adding 0 changes no total.',
    equivalent: true,
  },
  {
    file: scripts,
    code: '0',
    to: '1',
    why: 'The number before the first one, for which the clock is used instead; a reply that is not read.',
    equivalent: true,
  },
  {
    file: scripts,
    code: '1',
    to: '2',
    why: 'Reads two expired messages and uses one; or reads further pages of a topic that is already full.',
    equivalent: true,
  },
  {
    file: scripts,
    code: 'break',
    to: '',
    why: 'Only avoids further comparisons.',
    equivalent: true,
  },
  {
    file: scripts,
    code: '100',
    to: '101',
    why: 'The size of a page has no effect on the result.',
    equivalent: true,
  },
]
