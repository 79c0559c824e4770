import { expect, test } from 'vitest'
import { buildApprovedNamespaces } from './buildApprovedNamespaces.ts'

test('an app that asks for what every object has gets what else it asked for', () => {
  const asked = { chains: ['eip155:1'], methods: ['personal_sign'], events: [] }
  const strange = { methods: [], events: [] }
  const proposal = {
    requiredNamespaces: {},
    optionalNamespaces: JSON.parse(
      JSON.stringify({ toString: strange, 'valueOf:1': strange, eip155: asked }),
    ) as Record<string, typeof asked>,
  }
  const supported = { eip155: { ...asked, accounts: ['eip155:1:0xa'] } }
  expect(buildApprovedNamespaces({ proposal, supported })).toEqual(supported)
})
