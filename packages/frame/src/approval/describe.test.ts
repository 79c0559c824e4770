import { encodeFunctionData, erc20Abi, maxUint256, parseAbi, stringToHex, type Address } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { describe, expect, it } from 'vitest'
import { english } from '../strings/language.ts'
import { describeMessage } from './describeMessage.ts'
import { describeTransaction } from './describeTransaction.ts'
import { describeTypedData } from './describeTypedData.ts'

const origin = 'https://book.example'
const from: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const other: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const contract: Address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const chain = {
  id: 'eip155:31337',
  name: 'Basalt',
  symbol: 'ETH',
  decimals: 18,
}
const token = () => Promise.resolve({ symbol: 'FLD', decimals: 6 })
const noToken = () => Promise.resolve(undefined)

const signInText = (domain: string, uri = `https://${domain}/in`) =>
  createSiweMessage({
    address: from,
    chainId: 1,
    domain,
    nonce: 'abcdefgh12345678',
    uri,
    version: '1',
    issuedAt: new Date(0),
  })
const message = (text: string) =>
  describeMessage({ message: stringToHex(text), origin, language: english })

describe('messages', () => {
  it('shows the text', () => {
    expect(message('Hello')).toMatchObject({ level: 'plain', message: 'Hello', action: 'Sign' })
  })

  it('a sign-in to the requesting page is shown as a sign-in', () => {
    expect(message(signInText('book.example'))).toMatchObject({
      level: 'plain',
      sentence: 'Sign in to book.example',
    })
  })

  it.each([
    ['another site', signInText('bank.example')],
    ['a subdomain', signInText('a.book.example')],
    ['another port', signInText('book.example:8443')],
    ['a look-alike in another alphabet', signInText('xn--bok-5cd.example')],
    [
      'the right domain with the URI of another site',
      signInText('book.example', 'https://bank.example'),
    ],
    [
      'a user name in front of the host',
      'book.example@bank.example wants you to sign in with your Ethereum account:\n',
    ],
    [
      'text that deviates slightly from the standard',
      '\n bank.example wants you to sign in with your  account',
    ],
  ])('attack: a sign-in to %s is refused', (_, text) => {
    const { level, sentence } = message(text)
    expect({ level, sentence }).toEqual({
      level: 'refused',
      sentence: 'This would sign you in elsewhere',
    })
  })

  it('attack: a sign-in whose URI alone is of another site names the URI', () => {
    const { notes, details } = message(signInText('book.example', 'https://bank.example'))
    expect(details).toContainEqual(['Signs in to', 'https://bank.example'])
    expect(notes[0]?.text).toMatch(/asks you to sign in to https:\/\/bank\.example\./)
    expect(message(signInText('bank.example')).details).toContainEqual([
      'Signs in to',
      'bank.example',
    ])
  })

  it.each([
    ['a zero-width space', '\u200b'],
    ['a byte order mark', '\ufeff'],
    ['a control character', '\u0001'],
    ['a soft hyphen', '\u00ad'],
    ['a character that reverses the direction', '\u202e'],
    ['a tag character', '\u{e0041}'],
  ])('attack: a sign-in for another site is refused although it contains %s', (_, character) => {
    const full = signInText('bank.example').replace('\n\nURI', `\n\nSign${character} in\n\nURI`)
    for (const text of [
      full,
      `${character}${full}`,
      full.replace('wants you', `wants${character} you`),
      full.replace('URI:', `${character}URI:`),
    ])
      expect(message(text)).toMatchObject({
        level: 'refused',
        sentence: 'This would sign you in elsewhere',
      })
  })

  it('attack: a sign-in for another site is refused although it contains bytes that are not text', () => {
    const hex = `${stringToHex(signInText('bank.example'))}ff` as const
    expect(describeMessage({ message: hex, origin, language: english }).level).toBe('refused')
  })

  it('attack: a long message that begins like a sign-in is read in linear time', () => {
    const text = `bank.example wants you to sign in with ${'URI: '.repeat(40_000)}`
    const start = performance.now()
    expect(message(text).level).toBe('refused')
    // A parser that takes quadratic time needs half a minute.
    expect(performance.now() - start).toBeLessThan(2_000)
  })

  it('shows a warning for a sign-in for the site that contains an invisible character', () => {
    const text = signInText(new URL(origin).host).replace('URI', 'Sign\u200b in\n\nURI')
    expect(message(text)).toMatchObject({ level: 'warn', message: stringToHex(text) })
  })

  it.each([
    ['bytes that are not text', '0xff00ff' as const],
    ['text with a character that reverses its direction', stringToHex('pay 10\u202e to alice')],
    ['an invisible character', stringToHex('ali\u200bce')],
    ['a control character', stringToHex('a\u0008b')],
  ])('shows a warning for %s, and the bytes', (_, hex) => {
    expect(describeMessage({ message: hex, origin, language: english })).toMatchObject({
      level: 'warn',
      message: hex,
    })
  })
})

describe('transactions', () => {
  const about = (
    data: `0x${string}`,
    options: Partial<Parameters<typeof describeTransaction>[0]> = {},
  ) =>
    describeTransaction({
      language: english,
      call: { to: contract, value: 0n, data },
      chain,
      from,
      fee: 1_000_000_000_000_000n,
      missing: 0n,
      token,
      isSettler: () => Promise.resolve(false),
      failure: undefined,
      wasTried: true,
      changes: undefined,
      ...options,
    })

  it('sends the native currency', async () => {
    const statement = await about('0x', {
      call: { to: other, value: 1_500_000_000_000_000_000n, data: '0x' },
    })
    expect(statement).toMatchObject({
      level: 'plain',
      sentence: 'Send 1.5 ETH to 0x3C44…93BC',
      movements: [{ name: 'ETH', amount: '−1.5 ETH' }],
      details: [
        ['To', other],
        ['Network', 'Basalt'],
        ['Gas, at most', '0.001 ETH'],
      ],
    })
  })

  it('sends a token', async () => {
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [other, 40_000_000n],
    })
    expect(await about(data)).toMatchObject({
      level: 'plain',
      sentence: 'Send 40 FLD to 0x3C44…93BC',
      movements: [{ name: 'FLD', amount: '−40 FLD' }],
    })
  })

  it('an allowance names the spender and the amount', async () => {
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'approve',
      args: [other, 716_420_000n],
    })
    expect(await about(data)).toMatchObject({
      level: 'plain',
      sentence: 'Let 0x3C44…93BC spend 716.42 FLD',
    })
  })

  it.each([
    ['all', maxUint256],
    ['more than any token has', maxUint256 / 2n + 1n],
  ])('an allowance of %s is dangerous and requires a checkbox', async (_, amount) => {
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'approve',
      args: [other, amount],
    })
    expect(await about(data)).toMatchObject({
      level: 'danger',
      sentence: 'Let 0x3C44…93BC spend all your FLD',
      tick: 'I know this contract and want to allow it.',
    })
  })

  it('attack: an operator of a whole collection is dangerous', async () => {
    const data = encodeFunctionData({
      abi: parseAbi(['function setApprovalForAll(address operator, bool approved)']),
      args: [other, true],
    })
    expect(await about(data)).toMatchObject({
      level: 'danger',
      tick: 'I trust this contract with all of them.',
    })
  })

  it('a call that cannot be decoded shows a warning, then needs a second approval that shows all bytes', async () => {
    const statement = await about('0x6d8800aa')
    expect(statement).toMatchObject({
      level: 'warn',
      sentence: 'Call an unknown contract',
      exact: '0x6d8800aa',
    })
    expect(statement.second).toMatchObject({
      level: 'danger',
      exact: '0x6d8800aa',
      tick: 'I understand that I can’t know what this does.',
    })
  })

  it.each([0n, 7n])(
    'attack: the approval of NFT %s does not look like an allowance of coins only',
    async (id) => {
      const data = encodeFunctionData({
        abi: erc20Abi,
        functionName: 'approve',
        args: [other, id],
      })
      const { sentence } = await about(data, { token: noToken })
      expect(sentence).toBe(`Let 0x3C44…93BC spend ${id} units or move NFT ${id} of 0x90F7…b906`)
    },
  )

  it('attack: an allowance just below the maximum is unlimited', async () => {
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'approve',
      args: [other, 2n ** 200n],
    })
    expect(await about(data)).toMatchObject({
      level: 'danger',
      sentence: 'Let 0x3C44…93BC spend all your FLD',
    })
  })

  it('a transaction that would fail is dangerous', async () => {
    const statement = await about('0x', { failure: 'the price moved' })
    expect(statement.level).toBe('danger')
    expect(statement.notes[0]!.text).toContain('the price moved')
  })

  it('a note says how much is missing', async () => {
    const { level, notes } = await about('0x', { missing: 800_000_000_000_000n })
    expect(level).toBe('danger')
    expect(notes[0]!.title).toBe('0.0008 ETH short')
  })

  it('a note says if it could not be simulated', async () => {
    const statement = await about('0x', { wasTried: false })
    expect(statement.notes.map(({ title }) => title)).toEqual(['Not tested'])
  })

  it('shows what the account loses, then what it gains, in the second approval too', async () => {
    const changes = [
      { contract: other, amount: 716_420_000n },
      { amount: -200_000_000_000_000_000n },
      { contract, id: 13n, amount: 1n },
    ]
    const movements = [
      { name: 'ETH', amount: '−0.2 ETH', isGain: false },
      { name: 'FLD 0x3C44…93BC', amount: '+716.42', isGain: true },
      { name: 'FLD 0x90F7…b906', amount: '+1 NFT #13', isGain: true },
    ]
    const statement = await about('0x6d8800aa', { changes })
    expect(statement).toMatchObject({ level: 'warn', movements, second: { movements } })
  })

  it('attack: many gains do not hide a loss', async () => {
    const spam = Array.from({ length: 500 }, (_, id) => ({ contract, id: BigInt(id), amount: 1n }))
    const { movements } = await about('0x6d8800aa', { changes: [...spam, { amount: -5n }] })
    expect(movements[0]).toMatchObject({ name: 'ETH', isGain: false })
    expect(movements).toHaveLength(9)
    expect(movements.at(-1)).toEqual({ name: 'and 493 more', amount: '' })
  })

  it('attack: many losses do not hide another one', async () => {
    const spam = Array.from({ length: 20 }, (_, id) => ({ contract, id: BigInt(id), amount: -1n }))
    const gain = { contract, amount: 1n }
    const { movements } = await about('0x6d8800aa', { changes: [gain, ...spam, { amount: -5n }] })
    expect(movements.filter(({ isGain }) => isGain === false)).toHaveLength(21)
    expect(movements.at(-1)).toEqual({ name: 'and 1 more', amount: '' })
  })

  it('attack: a token cannot put markup, lines or a long text into the sentence', async () => {
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [other, 1_000_000n],
    })
    const hostile = () =>
      Promise.resolve({ symbol: 'A\n\u202eSend nothing at all to anybody', decimals: 6 })
    const { sentence } = await about(data, { token: hostile })
    expect(sentence).toBe('Send 1 ASend nothing a… to 0x3C44…93BC')
  })
})

describe('typed data', () => {
  const permit = (value: bigint, more: Record<string, unknown> = {}) => ({
    domain: { name: 'Fold', chainId: 31337, verifyingContract: contract },
    types: {
      Permit: [
        { name: 'owner', type: 'address' },
        { name: 'spender', type: 'address' },
        { name: 'value', type: 'uint256' },
      ],
    },
    primaryType: 'Permit',
    message: { owner: from, spender: other, value, ...more },
  })
  const about = (data: Parameters<typeof describeTypedData>[0]['data']) =>
    describeTypedData({ data, chain, token, isSmart: false, language: english })

  it('a note says that a permit moves coins', async () => {
    expect(await about(permit(40_000_000n))).toMatchObject({
      level: 'warn',
      sentence: 'Let 0x3C44…93BC spend 40 FLD',
    })
  })

  it('an unlimited permit is dangerous', async () => {
    expect(await about(permit(maxUint256))).toMatchObject({ level: 'danger' })
  })

  it('a nested permit of Permit2 is decoded', async () => {
    const statement = await about({
      domain: { name: 'Permit2', chainId: 31337, verifyingContract: contract },
      types: {
        PermitSingle: [
          { name: 'details', type: 'PermitDetails' },
          { name: 'spender', type: 'address' },
        ],
        PermitDetails: [
          { name: 'token', type: 'address' },
          { name: 'amount', type: 'uint160' },
        ],
      },
      primaryType: 'PermitSingle',
      message: { details: { token: contract, amount: 2n ** 160n - 1n }, spender: other },
    })
    expect(statement).toMatchObject({
      level: 'danger',
      sentence: 'Let 0x3C44…93BC spend all your FLD',
    })
  })

  it('attack: fields that are not signed are not shown', async () => {
    const statement = await about(permit(1n, { note: 'This costs nothing' }))
    expect(statement.exact).not.toContain('This costs nothing')
  })

  it('data whose spender is not signed is not a permit', async () => {
    const statement = await about({
      domain: { name: 'Book', chainId: 31337 },
      types: { Page: [{ name: 'number', type: 'uint256' }] },
      primaryType: 'Page',
      message: { number: 1n, spender: other },
    })
    expect(statement).toMatchObject({ level: 'warn', sentence: 'Sign data for Book' })
  })

  it('a permit of a contract that is not a token shows the number of units', async () => {
    const statement = await describeTypedData({
      data: permit(5n),
      chain,
      token: noToken,
      isSmart: false,
      language: english,
    })
    expect(statement.sentence).toBe('Let 0x3C44…93BC spend 5 units of 0x90F7…b906')
  })

  const batch = (details: { token: Address; amount: bigint }[]) => ({
    domain: { name: 'Permit2', chainId: 31337, verifyingContract: contract },
    types: {
      PermitBatch: [
        { name: 'details', type: 'PermitDetails[]' },
        { name: 'spender', type: 'address' },
      ],
      PermitDetails: [
        { name: 'token', type: 'address' },
        { name: 'amount', type: 'uint160' },
      ],
    },
    primaryType: 'PermitBatch',
    message: { details, spender: other },
  })

  it('attack: a permit of several tokens names all of them', async () => {
    const end = ['Allowed until', 'No end date']
    const statement = await about(
      batch([
        { token: other, amount: 1_000_000n },
        { token: contract, amount: 2n ** 160n - 1n },
      ]),
    )
    expect(statement).toMatchObject({
      level: 'danger',
      sentence: 'Let 0x3C44…93BC spend 2 different coins',
      steps: [
        { sentence: 'Let 0x3C44…93BC spend 1 FLD', details: [end, ['Contract', other]] },
        { sentence: 'Let 0x3C44…93BC spend all your FLD', details: [end, ['Contract', contract]] },
      ],
      tick: 'I know this contract and want to allow it.',
    })
  })

  it('a permit of more tokens than a visitor reads is refused', async () => {
    const details = Array.from({ length: 21 }, () => ({ token: contract, amount: 1n }))
    await expect(about(batch(details))).rejects.toThrow('more than 20 coins')
  })

  it('attack: a permit for an NFT does not look like a permit for 0 coins', async () => {
    const statement = await about({
      domain: { name: 'Positions', chainId: 31337, verifyingContract: contract },
      types: {
        Permit: [
          { name: 'spender', type: 'address' },
          { name: 'tokenId', type: 'uint256' },
          { name: 'nonce', type: 'uint256' },
          { name: 'deadline', type: 'uint256' },
        ],
      },
      primaryType: 'Permit',
      message: { spender: other, tokenId: 77n, nonce: 0n, deadline: 99n },
    })
    expect(statement.sentence).toBe('Let 0x3C44…93BC move NFT 77 of 0x90F7…b906')
  })

  it('attack: a permit whose amount has another name is unlimited', async () => {
    const { domain } = permit(0n)
    const statement = await about({
      domain,
      types: {
        Permit: [
          { name: 'owner', type: 'address' },
          { name: 'spender', type: 'address' },
          { name: 'rawAmount', type: 'uint256' },
        ],
      },
      primaryType: 'Permit',
      message: { owner: from, spender: other, rawAmount: maxUint256 },
    })
    expect(statement).toMatchObject({
      level: 'danger',
      sentence: 'Let 0x3C44…93BC spend all your FLD',
    })
  })

  it('attack: an amount just below the maximum is unlimited', async () => {
    expect(await about(permit(2n ** 200n))).toMatchObject({ level: 'danger' })
  })

  it('attack: a field of the domain that is not signed is not shown', async () => {
    const data = permit(1n)
    const types = { ...data.types, EIP712Domain: [{ name: 'name', type: 'string' }] }
    const statement = await about({ ...data, types })
    expect(statement.details).not.toContainEqual(['Contract', contract])
    expect(statement.exact).not.toContain(contract)
  })

  it('attack: a permit that names no network is not shown as one of the page’s network', async () => {
    const { domain, ...data } = permit(40_000_000n)
    const { chainId: _, ...anywhere } = domain
    const statement = await about({ ...data, domain: anywhere })
    expect(statement).toMatchObject({
      level: 'danger',
      sentence: 'Let 0x3C44…93BC spend 40000000 units of 0x90F7…b906',
    })
    expect(statement.notes).toContainEqual(
      expect.objectContaining({ level: 'danger', title: 'Valid on any network' }),
    )
    expect(statement.details).toContainEqual(['Network', 'Any network'])
  })

  it('a smart account signs for its network only', async () => {
    const { domain, ...data } = permit(40_000_000n)
    const { chainId: _, ...anywhere } = domain
    const statement = await describeTypedData({
      data: { ...data, domain: anywhere },
      chain,
      token,
      isSmart: true,
      language: english,
    })
    expect(statement.details).toContainEqual(['Network', 'Basalt'])
  })

  it('attack: a transfer by signature says what it sends', async () => {
    const statement = await about({
      domain: permit(0n).domain,
      types: {
        TransferWithAuthorization: [
          { name: 'from', type: 'address' },
          { name: 'to', type: 'address' },
          { name: 'value', type: 'uint256' },
        ],
      },
      primaryType: 'TransferWithAuthorization',
      message: { from, to: other, value: 40_000_000n },
    })
    expect(statement).toMatchObject({
      level: 'warn',
      sentence: 'Send 40 FLD to 0x3C44…93BC',
    })
    expect(statement.details).toContainEqual(['To', other])
  })
})
