import { maxUint256, type TypedDataDefinition } from 'viem'
import { expect, it } from 'vitest'
import { english } from '../strings/language.ts'
import { describeTypedData } from './describeTypedData.ts'

const spender = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const contract = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const chain = { id: 'eip155:31337', name: 'Basalt', symbol: 'ETH', decimals: 18 }
const end = 1_800_000_000
const endText = (seconds = end) =>
  new Date(seconds * 1000).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })
const noEnd = 'No end date'

/** The ends that an approval shows: of the data, and of each token of several. */
async function endsOf(
  primaryType: string,
  types: Record<string, string>,
  message: Record<string, unknown>,
) {
  const data = {
    domain: { name: 'Field', chainId: 31_337, verifyingContract: contract },
    types: Object.fromEntries(
      Object.entries(types).map(([type, fields]) => [
        type,
        fields.split(', ').map((field) => {
          const [kind, name] = field.split(' ')
          return { type: kind, name }
        }),
      ]),
    ),
    primaryType,
    message,
  } as unknown as TypedDataDefinition
  const { details, steps = [] } = await describeTypedData({
    data,
    chain,
    token: () => Promise.resolve({ symbol: 'FLD', decimals: 6 }),
    isSmart: false,
    language: english,
  })
  const isEnd = ([term]: [string, string]) => /until/i.test(term)
  return [details, ...steps.map((step) => step.details)].map((rows) => rows.filter(isEnd))
}

const until = (text: string) => ['Allowed until', text]
const useUntil = (text: string) => ['Signature valid until', text]

const permit = { Permit: 'address spender, uint256 value, uint256 deadline' }
const dai = {
  Permit: 'address holder, address spender, uint256 nonce, uint256 expiry, bool allowed',
}
const nft = { Permit: 'address spender, uint256 tokenId, uint256 nonce, uint256 deadline' }

it.each([
  ['ERC-2612', permit, { spender, value: 5n, deadline: BigInt(end) }, endText()],
  ['ERC-2612, without an end', permit, { spender, value: 5n, deadline: maxUint256 }, noEnd],
  ['ERC-2612, in hexadecimal', permit, { spender, value: 5n, deadline: '0x6b49d200' }, endText()],
  ['ERC-4494', nft, { spender, tokenId: 1n, deadline: end }, endText()],
  ['DAI', dai, { spender, expiry: end, allowed: true }, endText()],
  ['DAI, without an end', dai, { spender, expiry: 0, allowed: true }, noEnd],
])('an allowance of %s does not end, its signature does', async (_, types, message, text) => {
  expect(await endsOf('Permit', types, message)).toEqual([[until(noEnd), useUntil(text)]])
})

it('attack: an end that is not signed is not shown', async () => {
  const types = { Permit: 'address spender, uint256 value' }
  const message = { spender, value: 5n, deadline: end, expiry: end }
  expect(await endsOf('Permit', types, message)).toEqual([[until(noEnd), useUntil(noEnd)]])
})

const permitDetails = 'address token, uint160 amount, uint48 expiration, uint48 nonce'
const single = {
  PermitSingle: 'PermitDetails details, address spender, uint256 sigDeadline',
  PermitDetails: permitDetails,
}
const token = { token: contract, amount: 5n, nonce: 0 }

it.each([
  [end, endText()],
  [2 ** 48 - 1, noEnd],
  [0, 'Only in the block that uses the signature'],
])('an allowance of Permit2 with the expiration %s', async (expiration, text) => {
  const message = { details: { ...token, expiration }, spender, sigDeadline: end + 3600 }
  expect(await endsOf('PermitSingle', single, message)).toEqual([
    [until(text), useUntil(endText(end + 3600))],
  ])
})

it('each of several allowances of Permit2 has its own end', async () => {
  const types = {
    PermitBatch: 'PermitDetails[] details, address spender, uint256 sigDeadline',
    PermitDetails: permitDetails,
  }
  const details = [end, 2 ** 48 - 1].map((expiration) => ({ ...token, expiration }))
  expect(await endsOf('PermitBatch', types, { details, spender, sigDeadline: maxUint256 })).toEqual(
    [[useUntil(noEnd)], [until(endText())], [until(noEnd)]],
  )
})

it('a transfer by Permit2 ends with its signature', async () => {
  const TokenPermissions = 'address token, uint256 amount'
  const rest = 'address spender, uint256 nonce, uint256 deadline'
  const types = { PermitTransferFrom: `TokenPermissions permitted, ${rest}`, TokenPermissions }
  expect(
    await endsOf('PermitTransferFrom', types, { permitted: token, spender, deadline: end }),
  ).toEqual([[until(endText())]])
  const several = {
    PermitBatchTransferFrom: `TokenPermissions[] permitted, ${rest}`,
    TokenPermissions,
  }
  const message = { permitted: [token, token], spender, deadline: maxUint256 }
  expect(await endsOf('PermitBatchTransferFrom', several, message)).toEqual([
    [],
    [until(noEnd)],
    [until(noEnd)],
  ])
})

it('a transfer by signature ends with it', async () => {
  const types = {
    TransferWithAuthorization:
      'address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce',
  }
  const message = { to: spender, value: 5n, validAfter: 0, validBefore: end }
  expect(await endsOf('TransferWithAuthorization', types, message)).toEqual([[until(endText())]])
})
