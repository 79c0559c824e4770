import { expect, test } from 'vitest'

import type { Connector, ConnectorInfo } from '../connection/Connector.ts'
import { initialViewState } from '../view/view.ts'
import { installedConnector } from './installedConnector.ts'

const wallet = { id: 'w', name: 'Nacre', rdns: 'dev.nacre' }
const connector = (id: string, more: Partial<ConnectorInfo> = {}) =>
  ({ id, name: id, type: 'ANNOUNCED', chain: 'eip155', ...more }) as Connector
const nacre = connector('dev.nacre')

test.each<[string, Connector[], 'eip155' | 'solana' | undefined, string | undefined]>([
  ['the one with the same rdns', [connector('dev.other'), nacre], undefined, 'dev.nacre'],
  ['one of the listed family', [nacre], 'eip155', 'dev.nacre'],
  ['never one of another family', [nacre], 'solana', undefined],
  [
    'the one of the listed family, if several match',
    [nacre, connector('solana.nacre', { chain: 'solana', info: { rdns: 'dev.nacre' } })],
    'solana',
    'solana.nacre',
  ],
  [
    'never one that connects any wallet',
    [connector('relay', { explorerId: 'w', universal: true })],
    undefined,
    undefined,
  ],
  [
    'the announced one rather than the injected one',
    [connector('injected', { type: 'INJECTED', info: { rdns: 'dev.nacre' } }), nacre],
    undefined,
    'dev.nacre',
  ],
])('§9.9.3 the installed connector of a directory wallet is %s', (_, connectors, namespace, id) => {
  const view = { ...initialViewState(), namespace }
  expect(installedConnector({ connectors, view }, wallet)?.id).toBe(id)
})
