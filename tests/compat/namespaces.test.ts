import { describe, test } from 'vitest'
import {
  account,
  address,
  requested,
  granted,
  next,
  pairings,
  propose,
  sessionOf,
  settle,
} from './clients.ts'
import { useRelay } from './relay.ts'

const relay = useRelay()

describe.each(pairings)('app $app, wallet $wallet', { concurrent: true }, (versions) => {
  test('one session has chains of several families', async ({ expect, onTestFinished }) => {
    const { app, wallet } = await relay.openBoth(versions, onTestFinished)
    const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
    const bitcoin = 'bip122:000000000019d6689c085ae165831e93'
    const optionalNamespaces = {
      ...requested,
      'eip155:137': { methods: ['eth_signTypedData_v4'], events: [] },
      solana: { chains: [solana], methods: ['solana_signMessage'], events: [] },
      bip122: { chains: [bitcoin], methods: ['signMessage'], events: [] },
      cosmos: { chains: ['cosmos:cosmoshub-4'], methods: ['cosmos_signAmino'], events: [] },
    }
    const namespaces = {
      eip155: {
        chains: ['eip155:1', 'eip155:137'],
        accounts: [account, `eip155:137:${address}`],
        methods: ['personal_sign', 'eth_signTypedData_v4'],
        events: ['chainChanged'],
      },
      solana: {
        chains: [solana],
        accounts: [`${solana}:7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv`],
        methods: ['solana_signMessage'],
        events: [],
      },
      bip122: {
        chains: [bitcoin],
        accounts: [`${bitcoin}:128Lkh3S7CkDTBZ8W7BbpsN3YYizJMp8p6`],
        methods: ['signMessage'],
        events: [],
      },
    }
    const session = await settle(app, wallet, { optionalNamespaces }, { namespaces })
    expect(session.namespaces).toEqual(namespaces)
    const { topic } = session
    for (const [chainId, method] of [
      ['eip155:137', 'eth_signTypedData_v4'],
      [solana, 'solana_signMessage'],
      [bitcoin, 'signMessage'],
    ] as const) {
      const received = next(wallet, 'session_request')
      const answer = app.request({ topic, chainId, request: { method, params: { message: 'a' } } })
      const { id, params } = await received
      expect(params.chainId).toBe(chainId)
      await wallet.respond({ topic, response: { id, jsonrpc: '2.0', result: method } })
      expect(await answer).toBe(method)
    }
  })

  test('§5.12.2 required namespaces are proposed, and a wallet must approve them if they are sent as required', async ({
    expect,
    onTestFinished,
  }) => {
    const { app, wallet } = await relay.openBoth(versions, onTestFinished)
    const requiredNamespaces = {
      eip155: { chains: ['eip155:1'], methods: ['personal_sign'], events: [] },
    }
    const optionalNamespaces = {
      eip155: { chains: ['eip155:10'], methods: ['eth_sendTransaction'], events: ['chainChanged'] },
    }
    const { proposal, approval } = await propose(app, wallet, {
      requiredNamespaces,
      optionalNamespaces,
    })
    const { params } = proposal
    const wanted = [params.requiredNamespaces, params.optionalNamespaces]
    const collect = (name: 'chains' | 'methods') =>
      new Set(wanted.flatMap((namespaces) => namespaces['eip155']?.[name] ?? []))
    expect(collect('chains')).toEqual(new Set(['eip155:1', 'eip155:10']))
    expect(collect('methods')).toEqual(new Set(['personal_sign', 'eth_sendTransaction']))
    // 2.21.3 still sends required namespaces; newer clients send all of them as optional.
    const isRequired = Object.keys(params.requiredNamespaces).length > 0
    const less = {
      eip155: { ...granted.eip155, methods: ['eth_sendTransaction'] },
    }
    if (isRequired)
      await expect(wallet.approve({ id: proposal.id, namespaces: less })).rejects.toThrow(
        /Non conforming namespaces. approve\(\) namespaces (methods|keys)? ?don't satisfy/,
      )
    const namespaces = isRequired ? granted : less
    await wallet.approve({ id: proposal.id, namespaces })
    expect((await approval()).namespaces).toEqual(namespaces)
  })

  test('each side gets the other’s session properties, scoped properties and session config', async ({
    expect,
    onTestFinished,
  }) => {
    const { app, wallet } = await relay.openBoth(versions, onTestFinished)
    const parameters = {
      optionalNamespaces: requested,
      sessionProperties: { expiry: '2030-01-01T00:00:00.000Z', 'caip154-mandatory': 'false' },
      scopedProperties: { eip155: { walletService: ['https://wallet.example'] } },
    }
    const answering = {
      namespaces: granted,
      sessionProperties: { capabilities: '{"0x1":{"atomic":{"status":"supported"}}}' },
      scopedProperties: { eip155: { atomicBatch: true } },
      sessionConfig: { disableDeepLink: true },
    }
    const { proposal, approval } = await propose(app, wallet, parameters)
    const { sessionProperties, scopedProperties } = parameters
    expect(proposal.params).toMatchObject({ sessionProperties, scopedProperties })
    const { topic } = await wallet.approve({ id: proposal.id, ...answering })
    expect(await approval()).toMatchObject(answering)
    expect(sessionOf(wallet, topic)).toMatchObject(answering)
    expect(sessionOf(app, topic)).toMatchObject(answering)
  })
})
