import { parseArgs } from 'node:util'
import { formatGwei, getAddress, isAddress, parseEther, parseGwei, toFunctionSelector } from 'viem'
import { readConfig } from '../config.ts'
import {
  deleteSponsorPolicy,
  findSponsorPolicy,
  listSponsorTotals,
  saveSponsorPolicy,
  type SponsorPolicy,
} from '../storage/frame/sponsors.ts'
import { openStorage, type Storage } from '../storage/openStorage.ts'
import { ensureDefaultProject, findProject } from '../storage/projects.ts'
import type { Io } from './Io.ts'
import { helpOf } from './help.ts'
import { UsageError } from './UsageError.ts'

const options = {
  contract: { type: 'string', multiple: true },
  method: { type: 'string', multiple: true },
  'user-day': { type: 'string' },
  day: { type: 'string' },
  total: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']

/**
 * `gatefold sponsor set|stop|show`. A running server applies a change
 * immediately.
 *
 * @throws {UsageError} for wrong arguments.
 */
export async function sponsor(args: string[], io: Io): Promise<void> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [action, id, ...rest] = positionals
  if (values.help || action === undefined) {
    io.print(helpOf('sponsor'))
    return
  }
  if (!['set', 'show', 'stop'].includes(action))
    throw new UsageError(`Unknown action “sponsor ${action}”; use set, stop or show.`)
  if (id === undefined) throw new UsageError(`Name the project: gatefold sponsor ${action} my-site`)
  if (rest.length > 0) throw new UsageError(`Unexpected argument “${rest[0]}”.`)
  const storage = await openStorage(readConfig(io.env))
  try {
    await ensureDefaultProject(storage.db, Date.now())
    if (!(await findProject(storage.db, id)))
      throw new UsageError(`There is no project “${id}”; gatefold project list names them.`)
    if (action === 'stop') await stop(storage, id, io)
    else {
      if (action === 'set') await set(storage, id, values)
      await show(storage, id, values.json ?? false, io)
    }
  } finally {
    await storage.close()
  }
}

async function set({ db }: Storage, id: string, values: Values) {
  const known = await findSponsorPolicy(db, id)
  if (!known && !values.contract)
    throw new UsageError('Name the contracts: --contract 0x…, or --contract any.')
  const amount = (name: 'user-day' | 'day' | 'total', before: number | undefined) => {
    const text = values[name]
    if (text !== undefined) return readAmount(name, text)
    if (before === undefined) throw new UsageError(`Set a limit: --${name} 0.01`)
    return before
  }
  await saveSponsorPolicy(db, id, {
    contracts: values.contract ? readList(values.contract, readContract) : known!.contracts,
    methods: values.method ? readList(values.method, readMethod) : (known?.methods ?? []),
    userDayGwei: amount('user-day', known?.userDayGwei),
    dayGwei: amount('day', known?.dayGwei),
    totalGwei: amount('total', known?.totalGwei),
  })
}

async function stop({ db }: Storage, id: string, { print }: Io) {
  print((await deleteSponsorPolicy(db, id)) ? `Stopped: ${id}` : `${id} sponsored nothing.`)
}

async function show({ db }: Storage, id: string, asJson: boolean, { print }: Io) {
  const policy = await findSponsorPolicy(db, id)
  const spent = await listSponsorTotals(db, id)
  if (asJson) print(JSON.stringify({ policy: policy ?? null, spent }, null, 2))
  else print(policy ? describe(id, policy, spent) : `${id} sponsors nothing.`)
}

function describe(
  id: string,
  policy: SponsorPolicy,
  spent: Awaited<ReturnType<typeof listSponsorTotals>>,
): string {
  return [
    id,
    `  contracts ${policy.contracts.map((address) => getAddress(address)).join(' ') || 'any'}`,
    `  methods   ${policy.methods.join(' ') || 'any'}`,
    `  limits    ${toAmount(policy.userDayGwei)} for each user in a day, ${toAmount(policy.dayGwei)} in a day, ${toAmount(policy.totalGwei)} in total`,
    ...spent.map(({ chain, gwei }) => `  spent     ${toAmount(gwei)} on ${chain}`),
  ].join('\n')
}

/** A list of values; the word `any` stands for all. */
function readList(texts: string[], read: (text: string) => string): string[] {
  if (!texts.includes('any')) return [...new Set(texts.map(read))]
  if (texts.length > 1) throw new UsageError('any cannot be combined with other values.')
  return []
}

function readContract(text: string): string {
  if (!isAddress(text, { strict: false }))
    throw new UsageError(`--contract: “${text}” is not an address.`)
  return text.toLowerCase()
}

function readMethod(text: string): string {
  if (text === 'send' || /^0x[0-9a-f]{8}$/.test(text)) return text
  if (!/^\w+\(.*\)$/.test(text))
    throw new UsageError(
      `--method: “${text}” is not a method; write mint(uint256), a selector such as 0xa0712d68, or send.`,
    )
  return toFunctionSelector(`function ${text}`)
}

/** An amount of the native currency, which has 18 decimals, in gwei. */
function readAmount(name: string, text: string): number {
  const isAmount = /^\d{1,6}(\.\d{1,9})?$/.test(text)
  const gwei = isAmount ? Number(parseEther(text) / parseGwei('1')) : Number.NaN
  if (!Number.isSafeInteger(gwei))
    throw new UsageError(`--${name} is “${text}”; expected an amount such as 0.01.`)
  return gwei
}

function toAmount(gwei: number): string {
  return formatGwei(BigInt(gwei))
}
