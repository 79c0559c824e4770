import { expect, test } from 'vitest'
import type { RequiredNamespaces } from './Session.ts'
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

test('attack: a proposal with 18,000 entries takes linear time', () => {
  const entries = Array.from({ length: 18_000 }, (_, index) => [
    `eip155:${index + 1}`,
    { methods: ['personal_sign', 'personal_sign'], events: ['chainChanged'] },
  ])
  const proposal = {
    requiredNamespaces: {},
    optionalNamespaces: Object.fromEntries(entries) as Record<string, RequiredNamespaces[string]>,
  }
  const eip155 = {
    chains: ['eip155:1'],
    accounts: ['eip155:1:0xa'],
    methods: ['personal_sign'],
    events: ['chainChanged'],
  }
  const start = performance.now()
  expect(buildApprovedNamespaces({ proposal, supported: { eip155 } })).toEqual({ eip155 })
  // A quadratic merge takes several seconds.
  expect(performance.now() - start).toBeLessThan(1_000)
})
