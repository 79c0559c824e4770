import { expect, test } from 'vitest'
import { setText } from './setText.ts'

test('the signed text of a set of shares names the set, the epoch and all addresses', () => {
  const set = {
    setId: 'id',
    epoch: 2,
    eip155: '0x1',
    solana: '2',
    smartAccount: { kind: 'safe-1.4.1' as const, owner: '0x3' },
  }
  expect(setText(set)).toBe('gatefold set of shares\nid\n2\n0x1\n2\nsafe-1.4.1\n0x3')
})
