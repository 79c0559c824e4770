import { expect, test } from 'vitest'
import { buildApprovedNamespaces } from './buildApprovedNamespaces.ts'

test('a namespace with the name of an object property does not affect other namespaces', () => {
  const requested = { chains: ['eip155:1'], methods: ['personal_sign'], events: [] }
  const strange = { methods: [], events: [] }
  const proposal = {
    requiredNamespaces: {},
    optionalNamespaces: JSON.parse(
      JSON.stringify({ toString: strange, 'valueOf:1': strange, eip155: requested }),
    ) as Record<string, typeof requested>,
  }
  const supported = { eip155: { ...requested, accounts: ['eip155:1:0xa'] } }
  expect(buildApprovedNamespaces({ proposal, supported })).toEqual(supported)
})
