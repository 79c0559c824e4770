import { expect, test, vi } from 'vitest'

import type { Connector, ConnectorInfo } from '../connection/Connector.ts'
import { useKits } from '../testing/useKits.ts'
import { hasInstalledWallet } from './hasInstalledWallet.ts'
import { needsSuggestions } from './needsSuggestions.ts'

const { start } = useKits()
const connector = (type: ConnectorInfo['type'], rdns?: string) =>
  ({ id: 'c', name: 'C', type, chain: 'eip155', info: { rdns } }) as Connector
const installed = { connectors: [connector('WALLET_CONNECT'), connector('ANNOUNCED')] }

test.each<[string, boolean, Connector[], { phone?: boolean }]>([
  ['an announced wallet', true, [connector('ANNOUNCED')], {}],
  ['a wallet of several chain families', true, [connector('MULTI_CHAIN')], {}],
  ['one of several wallets', true, installed.connectors, {}],
  ['an injected wallet on a phone', true, [connector('INJECTED', 'dev.one')], { phone: true }],
  ['an unknown injected wallet on a phone', false, [connector('INJECTED')], { phone: true }],
  ['an injected wallet on a desktop', false, [connector('INJECTED', 'dev.one')], {}],
  ['a wallet on another device', false, [connector('WALLET_CONNECT')], {}],
  ['a connector of the site', false, [connector('EXTERNAL'), connector('AUTH')], {}],
  ['no wallet', false, [], {}],
])('§2.11.2 %s counts as installed: %s', (_, expected, connectors, { phone = false }) => {
  vi.stubGlobal('window', { matchMedia: () => ({ matches: phone }) })
  expect(hasInstalledWallet({ connectors })).toBe(expected)
})

test.each([
  ['with a gateway', true, { endpoints: 'https://gate.example' }, installed],
  ['with featured wallets', true, { featuredWalletIds: ['a'] }, installed],
  ['with excluded wallets', true, { excludeWalletIds: ['a'] }, installed],
  ['for a visitor without a wallet', true, {}, { connectors: [] }],
  ['for a visitor with a wallet', false, {}, installed],
  ['with empty lists', false, { featuredWalletIds: [], excludeWalletIds: [] }, installed],
])('§9.2 %s, the wallet list waits for suggestions: %s', (_, expected, options, wallets) => {
  const { kit } = start(options)
  expect(needsSuggestions(kit, { ...kit.getState(), ...wallets })).toBe(expected)
})
