import { describe, expect, it } from 'vitest'
import { findNamedConnectors } from './findNamedConnectors.ts'
import { makeTree } from './makeTree.ts'

const tree = {
  'packages/kit/src/connectors/walletConnect/connect.ts': "export const id = 'walletConnect'",
  'packages/kit/src/connectors/injected.ts': '',
  'packages/kit/src/adapters/evm/evm.ts': "export const namespace = 'eip155'",
  'packages/kit/src/exports/evm.ts': "import '../adapters/evm/evm.ts'",
}

function problems(path: string, text: string) {
  return findNamedConnectors(makeTree({ ...tree, [`packages/kit/src/${path}`]: text }))
}

describe('names of connectors and chain families', () => {
  it.each([
    ['core/connect.ts', "import './session.ts'\nexport const a = 'WalletConnect is a protocol'"],
    ['ui/strings/en.ts', "export const text = { 'title.x': 'WalletConnect' }"],
    ['core/view.ts', "export type View = 'ConnectingWalletConnect' | 'Account'"],
    ['ui/views/walletConnect/QrCode.tsx', "import '../../../connectors/walletConnect/connect.ts'"],
    ['core/connect.test.ts', "export const id = 'walletConnect'"],
    ['adapters/evm/chains.ts', "export const id = 'eip155:1'"],
  ])('are accepted in %s: %s', (path, text) => {
    expect(problems(path, text)).toEqual([])
  })

  it.each([
    ["import '../connectors/walletConnect/connect.ts'", 'walletConnect'],
    ["export const load = () => import('../adapters/evm/evm.ts')", 'evm'],
    ["import type { Injected } from '../connectors/injected.ts'", 'injected'],
    ["import '../ui/views/walletConnect/QrCode.tsx'", 'walletConnect'],
  ])('error: are reported in an import: %s', (text, name) => {
    const specifier = /'(.+)'/.exec(text)?.[1]
    expect(problems('core/a.ts', text)).toEqual([
      `packages/kit/src/core/a.ts imports ${specifier}, which belongs to ${name}`,
    ])
  })

  it.each([
    ["if (id === 'walletConnect') go()", 'walletConnect'],
    ["type Type = 'WALLET_CONNECT' | 'OTHER'", 'WALLET_CONNECT'],
    ["const names = { eip155: 'Ethereum' }", 'eip155'],
    [
      "const id = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'",
      'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    ],
    ['const id = `eip155:${chain}`', 'eip155:'],
    ["const family = 'bip122'", 'bip122'],
  ])('error: are reported in a literal or property: %s', (text, value) => {
    expect(problems('ui/a.ts', text)).toEqual([`packages/kit/src/ui/a.ts names '${value}'`])
  })
})
