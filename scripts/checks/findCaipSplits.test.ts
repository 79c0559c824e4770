import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { findCaipSplits } from './findCaipSplits.ts'
import { makeTree } from './makeTree.ts'

it('this repository splits CAIP ids by hand only in the allowed files', () => {
  expect(findCaipSplits(fileURLToPath(new URL('../..', import.meta.url)))).toEqual([])
})

it('reports code that splits CAIP ids by hand, and unused exceptions', () => {
  const root = makeTree({
    'packages/protocol/src/caip/split.ts': "value.split(':')",
    'packages/sign/src/a.ts': "const id = 1\nconst [, chain] = id.split(':')",
    'packages/kit/src/b.tsx': "id.slice('eip155:'.length)",
    'packages/kit/src/c.ts': "id.slice(id.indexOf(':') + 1)",
    'apps/wallets/src/d.ts': 'Number(id.replace(/^eip155:/, ""))',
    'packages/kit/src/e.ts': "CaipNetworkId.split(id) ?? 'eip155:1'.split('.')",
    'packages/kit/src/e.test.ts': "id.split(':')",
  })
  const hint = 'splits a string at a colon; use CaipNetworkId, CaipAddress or splitDidPkh'
  expect(findCaipSplits(root)).toEqual([
    `packages/kit/src/b.tsx:1 ${hint}`,
    `packages/kit/src/c.ts:1 ${hint}`,
    `packages/sign/src/a.ts:2 ${hint}`,
    `apps/wallets/src/d.ts:1 ${hint}`,
    'packages/server/src/relay/drivers/redis/messages.ts is allowed to split at a colon, but does not',
  ])
})
