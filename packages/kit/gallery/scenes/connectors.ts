import { halyardIcon, nacreIcon } from '../../../../apps/wallets/src/icons.ts'
import type { ConnectorInfo } from '../../src/core/connection/Connector.ts'

export const halyard: ConnectorInfo = {
  id: 'dev.gatefold.halyard',
  name: 'Halyard',
  type: 'ANNOUNCED',
  chain: 'eip155',
  imageUrl: halyardIcon,
  info: { rdns: 'dev.gatefold.halyard' },
}
export const nacre: ConnectorInfo = {
  id: 'dev.gatefold.nacre',
  name: 'Nacre',
  type: 'ANNOUNCED',
  chain: 'eip155',
  imageUrl: nacreIcon,
  info: { rdns: 'dev.gatefold.nacre' },
}
export const longName: ConnectorInfo = {
  ...halyard,
  id: 'dev.gatefold.long',
  name: 'The Extraordinarily Long Wallet Name of Northumberland & Sons',
  info: { rdns: 'dev.gatefold.long' },
}
export const broken: ConnectorInfo = {
  ...halyard,
  id: 'dev.gatefold.broken',
  name: 'Broken picture',
  imageUrl: 'data:image/png;base64,AAAA',
  info: { rdns: 'dev.gatefold.broken' },
}
