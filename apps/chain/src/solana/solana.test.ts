import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  address,
  airdropFactory,
  appendTransactionMessageInstructions,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  generateKeyPairSigner,
  getSignatureFromTransaction,
  isSolanaError,
  lamports,
  pipe,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
} from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import {
  AddressLookupTableProgram,
  ComputeBudgetProgram,
  Connection,
  Keypair,
  NONCE_ACCOUNT_LENGTH,
  PublicKey,
  SendTransactionError,
  sendAndConfirmTransaction,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { ChainPortTakenError } from '../errors.ts'
import { fundSolana } from './fundSolana.ts'
import { testMint } from './funds.ts'
import { solanaLocal } from './solanaLocal.ts'
import { startSolana, type Solana } from './startSolana.ts'

let chain: Solana
beforeAll(async () => {
  chain = await startSolana()
})
afterAll(() => chain.stop())

const sol = 1_000_000_000

/** Sends a body as it is. @returns the response */
async function post(body: string): Promise<unknown> {
  const response = await fetch(chain.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  const text = await response.text()
  return text === '' ? undefined : JSON.parse(text)
}

const call = (method: string, params: unknown[] = []) =>
  post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })) as Promise<{
    result?: unknown
    error?: { code: number; message: string; data?: unknown }
  }>

describe('with @solana/kit', () => {
  const setUp = async () => {
    const rpc = createSolanaRpc(chain.url)
    const rpcSubscriptions = createSolanaRpcSubscriptions(chain.webSocketUrl)
    const payer = await generateKeyPairSigner()
    await airdropFactory({ rpc, rpcSubscriptions })({
      recipientAddress: payer.address,
      lamports: lamports(BigInt(2 * sol)),
      commitment: 'confirmed',
    })
    return { rpc, rpcSubscriptions, payer }
  }

  const transfer = async ({ rpc, payer }: Awaited<ReturnType<typeof setUp>>, amount: number) => {
    const receiver = await generateKeyPairSigner()
    const { value: lifetime } = await rpc.getLatestBlockhash().send()
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (next) => setTransactionMessageFeePayerSigner(payer, next),
      (next) => setTransactionMessageLifetimeUsingBlockhash(lifetime, next),
      (next) =>
        appendTransactionMessageInstructions(
          [
            getTransferSolInstruction({
              source: payer,
              destination: receiver.address,
              amount: BigInt(amount),
            }),
          ],
          next,
        ),
    )
    const signed = await signTransactionMessageWithSigners(message)
    return { signed: signed as never, receiver: receiver.address }
  }

  it('sends a transfer, confirms it by subscriptions, and reads it back', async () => {
    const clients = await setUp()
    const { signed, receiver } = await transfer(clients, sol)
    await sendAndConfirmTransactionFactory(clients)(signed, { commitment: 'confirmed' })
    const { rpc, payer } = clients
    expect((await rpc.getBalance(receiver).send()).value).toBe(BigInt(sol))
    expect((await rpc.getBalance(payer.address).send()).value).toBe(BigInt(sol - 5_000))
    const signature = getSignatureFromTransaction(signed)
    const found = await rpc
      .getTransaction(signature, { encoding: 'json', maxSupportedTransactionVersion: 0 })
      .send()
    expect(found).toMatchObject({
      version: 0,
      meta: { err: null, fee: 5_000n, postBalances: [BigInt(sol - 5_000), BigInt(sol), 1n] },
    })
    expect(await rpc.getSignaturesForAddress(receiver).send()).toMatchObject([
      { signature, err: null, confirmationStatus: 'finalized' },
    ])
  })

  it('error: a transfer of more than the balance fails in the preflight, with its logs', async () => {
    const clients = await setUp()
    const { signed } = await transfer(clients, 3 * sol)
    const failure = await sendAndConfirmTransactionFactory(clients)(signed, {
      commitment: 'confirmed',
    }).catch((error: unknown) => error)
    expect(
      isSolanaError(
        failure,
        SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
      ),
    ).toBe(true)
    expect((failure as { context: { logs: string[] } }).context.logs.join('\n')).toContain(
      'insufficient lamports',
    )
  })

  it('notifies of changed accounts and of slots, until it is unsubscribed', async () => {
    const clients = await setUp()
    const { signed, receiver } = await transfer(clients, sol)
    const abort = new AbortController()
    const accounts = await clients.rpcSubscriptions
      .accountNotifications(receiver, { encoding: 'base64' })
      .subscribe({ abortSignal: abort.signal })
    const slots = await clients.rpcSubscriptions
      .slotNotifications()
      .subscribe({ abortSignal: abort.signal })
    const account = accounts[Symbol.asyncIterator]().next()
    const slot = slots[Symbol.asyncIterator]().next()
    await sendAndConfirmTransactionFactory(clients)(signed, { commitment: 'confirmed' })
    const { value } = await account
    expect(value?.value.lamports).toBe(BigInt(sol))
    expect((await slot).value?.slot).toBeGreaterThan(1n)
    abort.abort()
  })

  it('lists the tokens of an owner, and parses them', async () => {
    const { rpc, payer } = await setUp()
    const token = await fundSolana(chain.url, { owner: payer.address, tokens: 40_500_000n })
    const { value } = await rpc
      .getTokenAccountsByOwner(
        payer.address,
        { mint: testMint.address },
        { encoding: 'jsonParsed' },
      )
      .send()
    expect(value).toMatchObject([
      {
        pubkey: token,
        account: {
          data: {
            parsed: {
              info: {
                owner: payer.address,
                tokenAmount: { amount: '40500000', decimals: 6, uiAmountString: '40.5' },
              },
            },
          },
        },
      },
    ])
    const { value: supply } = await rpc
      .getAccountInfo(testMint.address, { encoding: 'jsonParsed' })
      .send()
    expect(supply).toMatchObject({ data: { parsed: { type: 'mint', info: { decimals: 6 } } } })
  })
})

describe('with @solana/web3.js', () => {
  const setUp = async () => {
    const connection = new Connection(chain.url, 'confirmed')
    const payer = Keypair.generate()
    const signature = await connection.requestAirdrop(payer.publicKey, 5 * sol)
    await connection.confirmTransaction({
      signature,
      ...(await connection.getLatestBlockhash()),
    })
    return { connection, payer }
  }

  it('sends a legacy transfer with a priority fee', async () => {
    const { connection, payer } = await setUp()
    const receiver = Keypair.generate().publicKey
    const transaction = new Transaction().add(
      ComputeBudgetProgram.setComputeUnitLimit({ units: 10_000 }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000_000 }),
      SystemProgram.transfer({
        fromPubkey: payer.publicKey,
        toPubkey: receiver,
        lamports: sol,
      }),
    )
    transaction.feePayer = payer.publicKey
    transaction.recentBlockhash = (await connection.getLatestBlockhash()).blockhash
    const { value: fee } = await connection.getFeeForMessage(transaction.compileMessage())
    await sendAndConfirmTransaction(connection, transaction, [payer])
    expect(fee).toBe(15_000)
    expect(await connection.getBalance(receiver)).toBe(sol)
    expect(await connection.getBalance(payer.publicKey)).toBe(4 * sol - 15_000)
  })

  it('sends with a durable nonce long after its blockhash, once', async () => {
    const { connection, payer } = await setUp()
    const nonce = Keypair.generate()
    const rent = await connection.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH)
    await sendAndConfirmTransaction(
      connection,
      new Transaction().add(
        SystemProgram.createNonceAccount({
          fromPubkey: payer.publicKey,
          noncePubkey: nonce.publicKey,
          authorizedPubkey: payer.publicKey,
          lamports: rent,
        }),
      ),
      [payer, nonce],
    )
    const account = await connection.getNonce(nonce.publicKey)
    const receiver = Keypair.generate().publicKey
    const transaction = new Transaction({
      feePayer: payer.publicKey,
      nonceInfo: {
        nonce: account!.nonce,
        nonceInstruction: SystemProgram.nonceAdvance({
          noncePubkey: nonce.publicKey,
          authorizedPubkey: payer.publicKey,
        }),
      },
    }).add(
      SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: receiver, lamports: sol }),
    )
    transaction.sign(payer)
    expect(await call('isBlockhashValid', [account!.nonce])).toMatchObject({
      result: { value: false },
    })
    expect((await connection.getFeeForMessage(transaction.compileMessage())).value).toBe(5_000)
    await connection.sendRawTransaction(transaction.serialize())
    expect(await connection.getBalance(receiver)).toBe(sol)
    await expect(connection.sendRawTransaction(transaction.serialize())).rejects.toThrow(
      SendTransactionError,
    )
  })

  it('uses addresses of a lookup table', async () => {
    const { connection, payer } = await setUp()
    const receiver = Keypair.generate().publicKey
    const [create, table] = AddressLookupTableProgram.createLookupTable({
      authority: payer.publicKey,
      payer: payer.publicKey,
      recentSlot: (await connection.getSlot()) - 1,
    })
    const extend = AddressLookupTableProgram.extendLookupTable({
      payer: payer.publicKey,
      authority: payer.publicKey,
      lookupTable: table,
      addresses: [receiver],
    })
    // Blocks between the request of the slot and its use.
    for (const _ of [1, 2, 3]) await connection.requestAirdrop(payer.publicKey, sol)
    await sendAndConfirmTransaction(connection, new Transaction().add(create), [payer])
    await sendAndConfirmTransaction(connection, new Transaction().add(extend), [payer])
    const { value: found } = await connection.getAddressLookupTable(table)
    const { blockhash } = await connection.getLatestBlockhash()
    const transaction = new VersionedTransaction(
      new TransactionMessage({
        payerKey: payer.publicKey,
        recentBlockhash: blockhash,
        instructions: [
          SystemProgram.transfer({
            fromPubkey: payer.publicKey,
            toPubkey: receiver,
            lamports: sol,
          }),
        ],
      }).compileToV0Message([found!]),
    )
    transaction.sign([payer])
    const signature = await connection.sendTransaction(transaction)
    expect(await connection.getBalance(receiver)).toBe(sol)
    const record = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
    expect(record?.meta?.loadedAddresses?.writable).toEqual([receiver])
    await expect(connection.getTransaction(signature, {})).rejects.toThrow(
      'Transaction version (0) is not supported',
    )
  })

  it('simulates without signatures, and reports the accounts afterwards', async () => {
    const { connection, payer } = await setUp()
    const receiver = Keypair.generate().publicKey
    const { blockhash } = await connection.getLatestBlockhash()
    const transaction = new VersionedTransaction(
      new TransactionMessage({
        payerKey: payer.publicKey,
        recentBlockhash: blockhash,
        instructions: [
          SystemProgram.transfer({
            fromPubkey: payer.publicKey,
            toPubkey: receiver,
            lamports: sol,
          }),
        ],
      }).compileToV0Message(),
    )
    const { value } = await connection.simulateTransaction(transaction, {
      accounts: { encoding: 'base64', addresses: [receiver.toBase58()] },
    })
    expect(value).toMatchObject({ err: null, accounts: [{ lamports: sol }] })
    expect(await connection.getBalance(receiver)).toBe(0)
    const signed = await connection
      .simulateTransaction(transaction, { sigVerify: true })
      .catch((error: unknown) => error)
    expect(String(signed)).toContain('signature verification failure')
  })

  it('error: the same bytes twice or cut off, a foreign blockhash, and a wrong signature are refused', async () => {
    const { connection, payer } = await setUp()
    const build = (blockhash: string) => {
      const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: blockhash })
      transaction.add(
        SystemProgram.transfer({
          fromPubkey: payer.publicKey,
          toPubkey: payer.publicKey,
          lamports: 1,
        }),
      )
      transaction.sign(payer)
      return transaction.serialize()
    }
    const { blockhash } = await connection.getLatestBlockhash()
    const bytes = build(blockhash)
    await connection.sendRawTransaction(bytes)
    await expect(connection.sendRawTransaction(bytes)).rejects.toThrow('already been processed')
    const foreign = build(Keypair.generate().publicKey.toBase58())
    await expect(connection.sendRawTransaction(foreign)).rejects.toThrow('Blockhash not found')
    for (const changed of [bytes.subarray(0, -1), Buffer.concat([bytes, Buffer.of(0)])])
      for (const method of ['simulateTransaction', 'sendTransaction'])
        expect(
          await call(method, [changed.toString('base64'), { encoding: 'base64' }]),
        ).toMatchObject({ error: { code: -32602 } })
    const forged = new Uint8Array(build((await connection.getLatestBlockhash()).blockhash))
    forged[10]! ^= 1
    const encoded = Buffer.from(forged).toString('base64')
    expect(await call('sendTransaction', [encoded, { encoding: 'base64' }])).toMatchObject({
      error: { code: -32003 },
    })
  })
})

describe('the JSON-RPC', () => {
  it.each([
    ['text that is not JSON', 'no', -32700],
    ['a request without a method', '{"jsonrpc":"2.0","id":1}', -32600],
    ['an empty batch', '[]', -32600],
    ['an unknown method', '{"jsonrpc":"2.0","id":1,"method":"toString"}', -32601],
    ['parameters by name', '{"jsonrpc":"2.0","id":1,"method":"getSlot","params":{}}', -32602],
    ['an invalid address', '{"jsonrpc":"2.0","id":1,"method":"getBalance","params":["x"]}', -32602],
    [
      'an unknown commitment',
      '{"jsonrpc":"2.0","id":1,"method":"getSlot","params":[{"commitment":"soon"}]}',
      -32602,
    ],
    [
      'an invalid transaction',
      '{"jsonrpc":"2.0","id":1,"method":"sendTransaction","params":["1111"]}',
      -32602,
    ],
    [
      'a slot that the chain has not reached',
      '{"jsonrpc":"2.0","id":1,"method":"getSlot","params":[{"minContextSlot":99999999}]}',
      -32016,
    ],
  ])('error: %s', async (_, body, code) => {
    expect(await post(body)).toMatchObject({ jsonrpc: '2.0', error: { code } })
  })

  it('answers batches in order, and sends no response to notifications', async () => {
    const request = (id: number, method: string) => ({ jsonrpc: '2.0', id, method })
    expect(
      await post(JSON.stringify([request(1, 'getHealth'), request(2, 'getGenesisHash')])),
    ).toEqual([
      { jsonrpc: '2.0', id: 1, result: 'ok' },
      { jsonrpc: '2.0', id: 2, result: solanaLocal.genesisHash },
    ])
    expect(await post('{"jsonrpc":"2.0","method":"getHealth"}')).toBeUndefined()
  })

  it('has its own genesis hash, whose first characters are the reference of its CAIP-2 id', async () => {
    const { result } = await call('getGenesisHash')
    expect(solanaLocal.id).toBe(`solana:${String(result).slice(0, 32)}`)
    expect(address(String(result))).toBe(result)
  })

  it('error: an unknown subscription cannot be ended', async () => {
    const socket = new WebSocket(chain.webSocketUrl)
    const { promise, resolve } = Promise.withResolvers<string>()
    socket.on('message', (data: Buffer) => resolve(data.toString()))
    socket.on('open', () =>
      socket.send('{"jsonrpc":"2.0","id":7,"method":"slotUnsubscribe","params":[99]}'),
    )
    expect(JSON.parse(await promise)).toMatchObject({ id: 7, error: { code: -32602 } })
    socket.close()
  })

  it('error: a port in use', async () => {
    await expect(startSolana({ port: chain.port })).rejects.toThrow(ChainPortTakenError)
  })
})

describe('the process exits with its parent after', () => {
  const program = `
    import { startSolana } from ${JSON.stringify(new URL('./startSolana.ts', import.meta.url))}
    const chain = await startSolana()
    console.log(chain.url)
    process.on('message', () => process.exit(0))
  `
  const responds = (url: string) =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    )

  it.each([
    ['kill -9', (child: ChildProcess) => child.kill('SIGKILL')],
    ['process.exit', (child: ChildProcess) => child.send('exit')],
  ])('%s', async (_, end) => {
    const child = spawn(
      process.execPath,
      ['--conditions=@gatefold/source', '--input-type=module', '--eval', program],
      { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], cwd: import.meta.dirname },
    )
    const [output] = (await once(child.stdout!, 'data')) as [Buffer]
    const url = output.toString().trim()
    expect(await responds(url)).toBe(true)
    end(child)
    await expect.poll(() => responds(url)).toBe(false)
  })
})

it('an address without an account has no balance', async () => {
  const connection = new Connection(chain.url)
  expect(await connection.getAccountInfo(new PublicKey(Keypair.generate().publicKey))).toBeNull()
})
