import { chainData } from '@gatefold/chain'
import { limits } from '@gatefold/protocol'
import { numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { createContext } from '../../context.ts'
import { createEvmChain } from '../evm/createEvmChain.ts'
import { createHistory } from './createHistory.ts'

const id = 'eip155:31337'

test('attack: one project cannot make the server index any number of accounts', async () => {
  let now = 0
  const context = await createContext(
    {
      ...readConfig(),
      dataDir: ':memory:',
      logLevel: 'silent',
      rpcUrls: { [id]: ['http://127.0.0.1:1'] },
    },
    { now: () => now },
  )
  const evmChain = createEvmChain(context.chains.byId.get(id)!, chainData[id])
  const history = createHistory({ ...context, evmChains: new Map([[id, evmChain]]) })
  const watch = async (account: number, project: string) =>
    history.watch(id, numberToHex(account, { size: 20 }), {
      address: `192.0.2.${account}`,
      project,
    })
  const answers: string[] = []
  for (let account = 1; account <= limits.historyProjectBurst + 3; account++)
    answers.push(await watch(account, 'a'))
  expect(answers.filter((it) => it !== 'watched')).toEqual(['limited', 'limited', 'limited'])
  expect(await watch(1, 'a')).toBe('watched')
  expect(await watch(9_000, 'b')).toBe('watched')
  now += 3_600_000
  expect(await watch(9_001, 'a')).toBe('watched')
  await context.storage.close()
})
