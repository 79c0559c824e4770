import { expect, test } from 'vitest'
import { ProposeParams } from '../engine/wallet/params.ts'
import { parseShape } from './parseShape.ts'

test('attack: the validation of a proposal stops at the first issue', () => {
  const eip155 = { methods: Array.from({ length: 1_000 }, () => 0), events: [] }
  const params = { proposer: {}, optionalNamespaces: { eip155 } }
  expect(parseShape(ProposeParams, params).issues).toHaveLength(1)
})
