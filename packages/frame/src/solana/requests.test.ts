import { fundSolana, solanaLocal, startSolana, testMint, type Solana } from '@gatefold/chain'
import {
  AccountRole,
  address,
  appendTransactionMessageInstructions,
  blockhash,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createNoopSigner,
  createSolanaRpc,
  createTransactionMessage,
  generateKeyPairSigner,
  getAddressEncoder,
  getBase58Decoder,
  getBase64Decoder,
  getBase64Encoder,
  getTransactionDecoder,
  getTransactionEncoder,
  partiallySignTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessageLifetimeUsingDurableNonce,
  type Address,
  type Instruction,
  type KeyPairSigner,
  type Transaction,
} from '@solana/kit'
import {
  getAdvanceNonceAccountInstruction,
  getAssignInstruction,
  getCreateAccountInstruction,
  getInitializeNonceAccountInstruction,
  getNonceDecoder,
  getTransferSolInstruction,
  SYSTEM_PROGRAM_ADDRESS,
} from '@solana-program/system'
import {
  AuthorityType,
  findAssociatedTokenPda,
  getApproveInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getSetAuthorityInstruction,
  getTransferCheckedInstruction,
  getTransferInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Statement } from '../approval/Statement.ts'
import { short } from '../approval/text.ts'
import { NodeError, type Rpc } from '../rpc/createRpc.ts'
import type { Examined } from '../rpc/Examined.ts'
import { RequestError } from '../rpc/RequestError.ts'
import type { SignRequest } from '../signer/operations.ts'
import { decodeBase58 } from './decodeTransaction.ts'
import { programs } from './programs.ts'
import { english } from '../strings/language.ts'
import { solanaRequests } from './requests.ts'
import { rpcOf } from './testing.ts'

const sol = 1_000_000_000n
const origin = 'https://book.example'
const chain = { id: solanaLocal.id, name: 'Solana DRYVatmB', symbol: 'SOL', decimals: 9 }

let solana: Solana
let rpc: Rpc
/** The visitor's account, and one of somebody else. */
let me: KeyPairSigner
let other: KeyPairSigner
beforeAll(async () => {
  solana = await startSolana()
  rpc = rpcOf(solana.url)
  me = await generateKeyPairSigner()
})
afterAll(() => solana.stop())
beforeEach(async () => {
  other = await generateKeyPairSigner()
  await fundSolana(solana.url, { owner: me.address, lamports: 5n * sol })
})

const base58 = (bytes: Uint8Array) => getBase58Decoder().decode(bytes)

type Build = {
  instructions: Instruction[]
  version?: 'legacy' | 0
  payer?: Address
  lifetime?: string
}

/** A transaction without signatures. */
async function build({ instructions, version = 0, payer, lifetime }: Build): Promise<Transaction> {
  const { value: latest } = await createSolanaRpc(solana.url).getLatestBlockhash().send()
  const used = lifetime === undefined ? latest : { ...latest, blockhash: blockhash(lifetime) }
  const message = pipe(
    createTransactionMessage({ version: version as 0 }),
    (next) => setTransactionMessageFeePayer(payer ?? me.address, next),
    (next) => setTransactionMessageLifetimeUsingBlockhash(used, next),
    (next) => appendTransactionMessageInstructions(instructions, next),
  )
  return compileTransaction(message)
}

const toWire = (transaction: Transaction) =>
  base58(new Uint8Array(getTransactionEncoder().encode(transaction)))

const examine = (method: string, params: unknown, node: Rpc = rpc): Promise<Examined> =>
  solanaRequests[method]!({
    language: english,
    params,
    chain,
    from: me.address,
    origin,
    rpc: node,
    bundler: () => Promise.reject(new Error('no bundler')),
    sign,
    smart: undefined,
    chosen: new Map(),
  })

/** What the approval of a transaction shows. */
async function statementOf(parameters: Build, node?: Rpc): Promise<Statement> {
  const transaction = toWire(await build(parameters))
  return (await examine('solana_signTransaction', { transaction }, node)).statement
}

/** Signs as the worker does. */
async function sign(request: SignRequest): Promise<string> {
  if (request.kind !== 'solana') throw new Error('not of Solana')
  const signatures = await Promise.all(
    request.messages.map(
      async (message) =>
        new Uint8Array(await crypto.subtle.sign('Ed25519', me.keyPair.privateKey, message.slice())),
    ),
  )
  return base58(new Uint8Array(signatures.flatMap((one) => [...one])))
}

const transfer = (amount: bigint, to: Address = other.address, from: Address = me.address) =>
  getTransferSolInstruction({ source: createNoopSigner(from), destination: to, amount })

const memo = (text: string): Instruction => ({
  programAddress: address(programs.memo),
  data: new TextEncoder().encode(text),
})

/** A program that nobody knows. */
const program = address('FsWXXkYwJCQeo6eJuHnY5ZwUEtj274S8s2TC2cr3tyuW')

const unknown = (): Instruction => ({
  programAddress: program,
  accounts: [{ address: me.address, role: AccountRole.WRITABLE_SIGNER }],
  data: new Uint8Array([1, 2, 3]),
})

/** A node that cannot simulate. */
const untried: Rpc = (chainId, method, params) =>
  method === 'simulateTransaction'
    ? Promise.reject(new NodeError('The network did not respond.'))
    : rpc(chainId, method, params)

describe('a transaction', () => {
  it.each(['legacy', 0] as const)('of version %s that sends SOL', async (version) => {
    const statement = await statementOf({ version, instructions: [transfer(sol + sol / 2n)] })
    expect(statement).toMatchObject({
      level: 'plain',
      sentence: `Send 1.5 SOL to ${short(other.address)}`,
      notes: [],
      movements: [{ name: 'SOL', amount: '−1.5 SOL' }],
      details: [
        ['To', other.address],
        ['Network', chain.name],
        ['Fee', '0.000005 SOL'],
      ],
    })
  })

  it('that sends a token names the mint and the receiver, not the receiving account', async () => {
    const source = await fundSolana(solana.url, { owner: me.address, tokens: 50_000_000n })
    const mint = testMint.address
    const [destination] = await findAssociatedTokenPda({
      owner: other.address,
      mint,
      tokenProgram: TOKEN_PROGRAM_ADDRESS,
    })
    const create = getCreateAssociatedTokenIdempotentInstruction({
      payer: createNoopSigner(me.address),
      owner: other.address,
      mint,
      ata: destination,
    })
    const checked = getTransferCheckedInstruction({
      source,
      mint,
      destination,
      authority: me.address,
      amount: 40_000_000n,
      decimals: 6,
    })
    const statement = await statementOf({ instructions: [create, checked, memo('rent')] })
    expect(statement).toMatchObject({
      level: 'plain',
      sentence: `Send 40 of token ${short(mint)} to ${short(other.address)}`,
      movements: [
        { name: 'SOL', amount: expect.stringMatching(/^−0.002\d+ SOL$/) as string },
        { name: `Token ${short(mint)}`, amount: '−40' },
      ],
    })
    expect(statement.details).toEqual(
      expect.arrayContaining([
        ['To', other.address],
        ['Token account', destination],
        ['Mint', mint],
        ['Memo', 'rent'],
      ]),
    )
    await fundSolana(solana.url, { owner: other.address, tokens: 1n })
    const unchecked = getTransferInstruction({
      source,
      destination,
      authority: me.address,
      amount: 500_000n,
    })
    expect(await statementOf({ instructions: [unchecked] })).toMatchObject({
      sentence: `Send 0.5 of token ${short(mint)} to ${short(other.address)}`,
    })
  })

  it.each([
    ['an amount', 7_000_000n, 'warn', 'spend 7 of token'],
    ['all', 2n ** 64n - 1n, 'danger', 'spend all of a token'],
  ])(
    'attack: a transaction that lets somebody spend %s later shows a warning',
    async (_, amount, level, text) => {
      const source = await fundSolana(solana.url, { owner: me.address, tokens: 50_000_000n })
      const instruction = getApproveInstruction({
        source,
        delegate: other.address,
        owner: me.address,
        amount,
      })
      const statement = await statementOf({ instructions: [instruction] })
      expect(statement.level).toBe(level)
      expect(statement.sentence).toContain(text)
      expect(statement.details).toContainEqual(['Spender', other.address])
    },
  )

  it('attack: a transaction that gives a token account away is dangerous', async () => {
    const owned = await fundSolana(solana.url, { owner: me.address, tokens: 1n })
    const instruction = getSetAuthorityInstruction({
      owned,
      owner: me.address,
      authorityType: AuthorityType.CloseAccount,
      newAuthority: other.address,
    })
    const statement = await statementOf({ instructions: [instruction] })
    expect(statement).toMatchObject({
      level: 'danger',
      sentence: 'Give away control of a token account',
    })
  })

  it('attack: a transaction that gives the account to a program is refused, even if it cannot be simulated', async () => {
    const instruction = getAssignInstruction({
      account: createNoopSigner(me.address),
      programAddress: other.address,
    })
    const statement = await statementOf({ instructions: [transfer(1n), instruction] }, untried)
    expect(statement).toMatchObject({
      level: 'refused',
      sentence: 'This would give your account away',
      action: 'Close',
    })
  })

  it('attack: a transaction of an unknown program needs two approvals', async () => {
    const statement = await statementOf({ instructions: [transfer(sol), unknown()] })
    expect(statement.notes.map(({ title }) => title)).toContain(
      'We can’t tell everything that this does',
    )
    expect(statement.second).toMatchObject({
      level: 'danger',
      tick: 'I understand that I can’t know what this does.',
    })
    expect(statement.details).toContainEqual(['Program', program])
  })

  it('attack: a fee that takes much of the balance is dangerous', async () => {
    const price = new DataView(new ArrayBuffer(9))
    price.setUint8(0, 3)
    // For the 200,000 units that an instruction may use.
    price.setBigUint64(1, 5_000_000_000n, true)
    const priority: Instruction = {
      programAddress: address(programs.computeBudget),
      data: new Uint8Array(price.buffer),
    }
    const statement = await statementOf({ instructions: [priority, transfer(sol)] })
    expect(statement).toMatchObject({
      level: 'danger',
      sentence: `Send 1 SOL to ${short(other.address)}`,
      notes: [{ title: 'A fee of 1.000005 SOL' }],
    })
  })

  it('that would fail is dangerous, and the reason is shown', async () => {
    const statement = await statementOf({ instructions: [transfer(900n * sol)] })
    expect(statement).toMatchObject({ level: 'danger', movements: [] })
    expect(statement.notes[0]!.text).toContain('insufficient lamports')
  })

  /** A node whose simulation changes the account at an index. */
  const simulating =
    (index: number, change: (account: { owner: string; data: [string, string] }) => void): Rpc =>
    async (chainId, method, params) => {
      const response = await rpc(chainId, method, params)
      if (method === 'simulateTransaction')
        change((response as { value: { accounts: never[] } }).value.accounts[index]!)
      return response
    }

  it('attack: is refused if the account belongs to a program after the simulation', async () => {
    const node = simulating(0, (account) => (account.owner = program))
    const statement = await statementOf({ instructions: [transfer(sol)] }, node)
    expect(statement).toMatchObject({ level: 'refused', action: 'Close' })
  })

  describe('that gives control away in the simulation', () => {
    let source: Address
    beforeEach(async () => {
      source = await fundSolana(solana.url, { owner: me.address, tokens: 5_000_000n })
    })

    /** Where a token account contains who has a power over it, and how much can be spent. */
    const delegateAt = 72
    const ownerAt = 32
    const amountAt = 121
    const closerAt = 129

    const approve = (delegate: Address, amount: bigint, from: Address = source) =>
      getApproveInstruction({ source: from, delegate, owner: me.address, amount })

    /** What is shown if the node simulates only that `program` gets a power over `source`. */
    async function simulated(at: number, instructions: Instruction[], amount = 0n) {
      const touch = getTransferInstruction({
        source,
        destination: await fundSolana(solana.url, { owner: other.address, tokens: 1n }),
        authority: me.address,
        amount: 1n,
      })
      const transaction = toWire(await build({ instructions: [touch, ...instructions] }))
      const isOption = at !== ownerAt
      const node: Rpc = async (chainId, method, params) => {
        if (method !== 'simulateTransaction') return rpc(chainId, method, params)
        const { addresses } = (params as [string, { accounts: { addresses: string[] } }])[1]
          .accounts
        const read = await rpc(chainId, 'getMultipleAccounts', [addresses, { encoding: 'base64' }])
        const accounts = (read as { value: { data: [string, string] }[] }).value
        const account = accounts[addresses.indexOf(source)]!
        const data = new Uint8Array(getBase64Encoder().encode(account.data[0]))
        if (isOption) data.set([1, 0, 0, 0], at)
        data.set(getAddressEncoder().encode(program), at + (isOption ? 4 : 0))
        if (at === delegateAt) new DataView(data.buffer).setBigUint64(amountAt, amount, true)
        account.data[0] = getBase64Decoder().decode(data)
        return { value: { err: null, accounts } }
      }
      const { statement } = await examine('solana_signTransaction', { transaction }, node)
      return { level: statement.level, titles: statement.notes.map(({ title }) => title) }
    }

    const cases: [string, number, string][] = [
      ['can be spent by somebody else', delegateAt, 'Spending later'],
      ['belongs to somebody else', ownerAt, 'Control changes hands'],
      ['can be closed by somebody else', closerAt, 'Control changes hands'],
    ]

    it.each(cases)(
      'attack: is dangerous if after the simulation, a token account %s',
      async (_, at, title) => {
        const { level, titles } = await simulated(at, [transfer(sol)])
        expect(level).toBe('danger')
        expect(titles).toContain(title)
      },
    )

    it.each(cases)(
      'attack: is dangerous if a token account %s, even if memos and receivers contain the addresses',
      async (_, at, title) => {
        const { level, titles } = await simulated(at, [
          memo(program),
          memo(source),
          transfer(0n, program),
          transfer(0n, source),
        ])
        expect(level).toBe('danger')
        expect(titles).toContain(title)
      },
    )

    it('attack: is dangerous if more can be spent than the instruction states', async () => {
      const instructions = [approve(program, 7n)]
      expect((await simulated(delegateAt, instructions, 7n)).level).toBe('warn')
      expect((await simulated(delegateAt, instructions, 8n)).level).toBe('danger')
    })

    it('attack: is dangerous if the instruction states an allowance of another token account', async () => {
      const instructions = [approve(program, 7n, other.address)]
      expect((await simulated(delegateAt, instructions, 7n)).level).toBe('danger')
    })

    it('states the power that an instruction gives only once', async () => {
      const instruction = getSetAuthorityInstruction({
        owned: source,
        owner: me.address,
        authorityType: AuthorityType.CloseAccount,
        newAuthority: program,
      })
      expect(await simulated(closerAt, [instruction])).toEqual({
        level: 'danger',
        titles: ['Control changes hands'],
      })
    })
  })

  it('attack: addresses of lookup tables are read from the network; without them, the transaction is refused', async () => {
    const table = (await generateKeyPairSigner()).address
    const { value: latest } = await createSolanaRpc(solana.url).getLatestBlockhash().send()
    const built = pipe(
      createTransactionMessage({ version: 0 }),
      (next) => setTransactionMessageFeePayer(me.address, next),
      (next) => setTransactionMessageLifetimeUsingBlockhash(latest, next),
      (next) => appendTransactionMessageInstructions([transfer(sol)], next),
      (next) =>
        compressTransactionMessageUsingAddressLookupTables(next, { [table]: [other.address] }),
    )
    const transaction = toWire(compileTransaction(built))
    await expect(examine('solana_signTransaction', { transaction })).rejects.toThrow(
      'addresses that the network does not have',
    )
    const data = new Uint8Array([
      ...new Uint8Array(56),
      ...getAddressEncoder().encode(other.address),
    ])
    const account = {
      lamports: 1,
      owner: programs.lookupTable,
      data: [getBase64Decoder().decode(data), 'base64'],
    }
    const node: Rpc = (chainId, method, params) =>
      method === 'getMultipleAccounts' && (params as string[][])[0]!.includes(table)
        ? Promise.resolve({ value: [account] })
        : rpc(chainId, method, params)
    const { statement } = await examine('solana_signTransaction', { transaction }, node)
    expect(statement.details).toContainEqual(['To', other.address])
  })

  it('shows a warning if the network could not simulate it', async () => {
    expect(await statementOf({ instructions: [transfer(sol)] }, untried)).toMatchObject({
      level: 'warn',
      sentence: `Send 1 SOL to ${short(other.address)}`,
      notes: [{ title: 'Not tested' }],
      movements: [],
    })
  })

  it('names who pays the fee and who else signs', async () => {
    await fundSolana(solana.url, { owner: other.address, lamports: sol })
    const third = await generateKeyPairSigner()
    await fundSolana(solana.url, { owner: third.address, lamports: sol })
    const statement = await statementOf({
      payer: other.address,
      instructions: [transfer(sol), transfer(sol / 2n, me.address, third.address)],
    })
    expect(statement).toMatchObject({
      sentence: 'Approve 2 actions',
      movements: [{ name: 'SOL', amount: '−0.5 SOL' }],
    })
    expect(statement.details).toEqual(
      expect.arrayContaining([
        ['1.', `Send 1 SOL to ${short(other.address)}`],
        ['2.', `Move 0.5 SOL from ${short(third.address)} to ${short(me.address)}`],
        ['Fee paid by', other.address],
        ['Also signed by', third.address],
      ]),
    )
  })

  it('attack: with a durable nonce shows a warning that it does not expire', async () => {
    const nonce = await generateKeyPairSigner()
    const kit = createSolanaRpc(solana.url)
    const lamports = await kit.getMinimumBalanceForRentExemption(80n).send()
    const create = await build({
      instructions: [
        getCreateAccountInstruction({
          payer: createNoopSigner(me.address),
          newAccount: createNoopSigner(nonce.address),
          lamports,
          space: 80,
          programAddress: SYSTEM_PROGRAM_ADDRESS,
        }),
        getInitializeNonceAccountInstruction({
          nonceAccount: nonce.address,
          nonceAuthority: me.address,
        }),
      ],
    })
    const signed = await partiallySignTransaction([me.keyPair, nonce.keyPair], create)
    const encoded = getBase64Decoder().decode(getTransactionEncoder().encode(signed))
    await kit.sendTransaction(encoded as never, { encoding: 'base64' }).send()
    const { value: account } = await kit
      .getAccountInfo(nonce.address, { encoding: 'base64' })
      .send()
    const data = Uint8Array.from(atob(account!.data[0]), (letter) => letter.charCodeAt(0))
    const withNonce = (value: string) =>
      pipe(
        createTransactionMessage({ version: 0 }),
        (next) => setTransactionMessageFeePayer(me.address, next),
        (next) =>
          setTransactionMessageLifetimeUsingDurableNonce(
            {
              nonce: value as never,
              nonceAccountAddress: nonce.address,
              nonceAuthorityAddress: me.address,
            },
            next,
          ),
        (next) => appendTransactionMessageInstructions([transfer(sol)], next),
        (next) => toWire(compileTransaction(next)),
      )
    const value = getNonceDecoder().decode(data).blockhash
    const { statement } = await examine('solana_signTransaction', {
      transaction: withNonce(value),
    })
    expect(statement).toMatchObject({ level: 'warn', notes: [{ title: 'It does not expire' }] })
    await expect(
      examine('solana_signTransaction', { transaction: withNonce(other.address) }),
    ).rejects.toThrow('for a network other than')
    expect(
      getAdvanceNonceAccountInstruction({
        nonceAccount: nonce.address,
        nonceAuthority: createNoopSigner(me.address),
      }).programAddress,
    ).toBe(programs.system)
  })

  it('attack: with the blockhash of another network is refused', async () => {
    const lifetime = other.address
    await expect(statementOf({ lifetime, instructions: [transfer(sol)] })).rejects.toThrow(
      'for a network other than',
    )
  })

  it('error: is refused if the network does not respond', async () => {
    const node: Rpc = () => Promise.reject(new NodeError('The network did not respond.'))
    await expect(statementOf({ instructions: [transfer(sol)] }, node)).rejects.toThrow(NodeError)
  })

  it('attack: without a signature of the account is refused', async () => {
    const instructions = [transfer(sol, me.address, other.address)]
    await expect(statementOf({ payer: other.address, instructions })).rejects.toThrow(
      'does not need a signature of this account',
    )
  })

  it.each([
    ['bytes after the end', (bytes: Uint8Array) => new Uint8Array([...bytes, 0])],
    ['missing bytes at the end', (bytes: Uint8Array) => bytes.slice(0, -1)],
    ['too many bytes', (bytes: Uint8Array) => new Uint8Array([...bytes, ...new Uint8Array(1300)])],
    [
      'an unknown version',
      (bytes: Uint8Array) => bytes.map((byte, index) => (index === 65 ? 0x82 : byte)),
    ],
  ])('attack: with %s is refused', async (_, change) => {
    const transaction = toWire(await build({ instructions: [transfer(sol)] }))
    const changed = base58(change(decodeBase58(transaction)!))
    const failure = await examine('solana_signTransaction', { transaction: changed }).catch(
      (error: unknown) => error,
    )
    expect(failure).toBeInstanceOf(RequestError)
  })
})

describe('signing', () => {
  it('returns the transaction with the signature in it', async () => {
    const transaction = toWire(await build({ instructions: [transfer(sol)] }))
    const examined = await examine('solana_signTransaction', { transaction })
    const result = (await examined.prepared()) as {
      transaction: string
    }
    const { signatures } = getTransactionDecoder().decode(decodeBase58(result.transaction)!)
    expect(signatures[me.address]).not.toBeNull()
    const encoded = getBase64Decoder().decode(decodeBase58(result.transaction)!)
    await rpc(chain.id, 'sendTransaction', [encoded, { encoding: 'base64' }])
    expect(await rpc(chain.id, 'getBalance', [other.address])).toMatchObject({ value: Number(sol) })
  })

  it('signs several transactions with one approval', async () => {
    const transactions = await Promise.all(
      [sol, 2n * sol].map(async (amount) =>
        toWire(await build({ instructions: [transfer(amount)] })),
      ),
    )
    const examined = await examine('solana_signAllTransactions', { transactions })
    expect(examined.statement).toMatchObject({
      sentence: 'Sign 2 transactions',
      movements: [
        { name: 'SOL', amount: '−1 SOL' },
        { name: 'SOL', amount: '−2 SOL' },
      ],
    })
    const result = (await examined.prepared()) as {
      transactions: string[]
    }
    for (const one of result.transactions) {
      const encoded = getBase64Decoder().decode(decodeBase58(one)!)
      await rpc(chain.id, 'sendTransaction', [encoded, { encoding: 'base64' }])
    }
    expect(await rpc(chain.id, 'getBalance', [other.address])).toMatchObject({
      value: Number(3n * sol),
    })
  })

  it('one refused transaction among several refuses all', async () => {
    const assign = getAssignInstruction({
      account: createNoopSigner(me.address),
      programAddress: other.address,
    })
    const transactions = [
      toWire(await build({ instructions: [transfer(sol)] })),
      toWire(await build({ instructions: [assign] })),
    ]
    const { statement } = await examine('solana_signAllTransactions', { transactions })
    expect(statement.level).toBe('refused')
  })

  it('sends a transaction that somebody else has also signed', async () => {
    await fundSolana(solana.url, { owner: other.address, lamports: sol })
    const third = (await generateKeyPairSigner()).address
    const built = await build({ payer: other.address, instructions: [transfer(sol, third)] })
    await expect(
      examine('solana_signAndSendTransaction', { transaction: toWire(built) }),
    ).rejects.toThrow('Somebody else must sign')
    const transaction = toWire(await partiallySignTransaction([other.keyPair], built))
    const examined = await examine('solana_signAndSendTransaction', {
      transaction,
      options: { skipPreflight: false, preflightCommitment: 'single' },
    })
    const { signature } = (await examined.prepared()) as {
      signature: string
    }
    expect(await rpc(chain.id, 'getSignatureStatuses', [[signature]])).toMatchObject({
      value: [{ err: null }],
    })
    expect(await rpc(chain.id, 'getBalance', [third])).toMatchObject({ value: Number(sol) })
  })
})

it.each([
  ['processed', 'processed'],
  ['confirmed', 'confirmed'],
  ['finalized', 'finalized'],
  ['recent', 'processed'],
  ['single', 'confirmed'],
  ['singleGossip', 'confirmed'],
  ['root', 'finalized'],
  ['max', 'finalized'],
])('§5.10.8 the preflight commitment %s is sent to the node as %s', async (given, sent) => {
  const options: unknown[] = []
  const node: Rpc = (chainId, method, params) => {
    if (method === 'sendTransaction') options.push((params as unknown[])[1])
    return rpc(chainId, method, params)
  }
  const transaction = toWire(await build({ instructions: [transfer(sol)] }))
  const send = (preflightCommitment: string) =>
    examine(
      'solana_signAndSendTransaction',
      { transaction, options: { preflightCommitment } },
      node,
    )
  await (await send(given)).prepared()
  expect(options).toMatchObject([{ preflightCommitment: sent }])
  await expect(send('soon')).rejects.toThrow('preflightCommitment')
})

describe('a message', () => {
  const examineBytes = (bytes: Uint8Array) =>
    examine('solana_signMessage', { message: base58(bytes), pubkey: me.address })
  const examineText = (text: string) => examineBytes(new TextEncoder().encode(text))

  it('is shown, and its signature is returned', async () => {
    const examined = await examineText('Hello')
    expect(examined.statement).toMatchObject({ level: 'plain', message: 'Hello' })
    const signature = await sign({
      kind: 'solana',
      messages: [new TextEncoder().encode('Hello')],
    })
    expect(await examined.prepared()).toEqual({ signature })
  })

  it.each(['legacy', 0] as const)(
    'attack: that is a transaction of version %s, or its message, is refused',
    async (version) => {
      const transaction = await build({ version, instructions: [transfer(sol)] })
      const wire = decodeBase58(toWire(transaction))!
      for (const bytes of [new Uint8Array(transaction.messageBytes), wire]) {
        const { statement } = await examineBytes(bytes)
        expect(statement).toMatchObject({
          level: 'refused',
          sentence: 'This is a transaction, not a message',
        })
      }
    },
  )

  it('attack: a message that could be a transaction of a later version is refused', async () => {
    const { statement } = await examineBytes(new Uint8Array([0x81, 1, 2, 3]))
    expect(statement.level).toBe('refused')
  })

  it.each([
    ['with a URI', 'book.example', '\n\nURI: https://book.example/in', 'Sign in to book.example'],
    ['without one', 'book.example', '', 'Sign in to book.example'],
    ['elsewhere', 'bank.example', '', 'This would sign you in elsewhere'],
    [
      'with the URI of another site',
      'book.example',
      '\n\nURI: https://bank.example',
      'This would sign you in elsewhere',
    ],
  ])('attack: a sign-in %s is only accepted for the page', async (_, domain, rest, sentence) => {
    const text = `${domain} wants you to sign in with your Solana account:\n${me.address}${rest}`
    expect((await examineText(text)).statement.sentence).toBe(sentence)
  })

  it('error: for another account, or in another encoding, is refused', async () => {
    await expect(
      examine('solana_signMessage', {
        message: base58(new Uint8Array([65])),
        pubkey: other.address,
      }),
    ).rejects.toThrow('another account')
    await expect(examine('solana_signMessage', { message: 'SGVsbG8=' })).rejects.toThrow('base58')
    await expect(examine('solana_signMessage', {})).rejects.toThrow('message')
  })
})
