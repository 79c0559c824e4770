import { halyardIcon, nacreIcon } from '../../../../apps/wallets/src/icons.ts'
import type { Connector } from '../../src/core/connection/Connector.ts'

export const halyard: Connector = {
  id: 'dev.gatefold.halyard',
  name: 'Halyard',
  type: 'ANNOUNCED',
  chain: 'eip155',
  imageUrl: halyardIcon,
  info: { rdns: 'dev.gatefold.halyard' },
}
export const nacre: Connector = {
  id: 'dev.gatefold.nacre',
  name: 'Nacre',
  type: 'ANNOUNCED',
  chain: 'eip155',
  imageUrl: nacreIcon,
  info: { rdns: 'dev.gatefold.nacre' },
}
export const longName: Connector = {
  ...halyard,
  id: 'dev.gatefold.long',
  name: 'The Extraordinarily Long Wallet Name of Northumberland & Sons',
  info: { rdns: 'dev.gatefold.long' },
}
export const broken: Connector = {
  ...halyard,
  id: 'dev.gatefold.broken',
  name: 'Broken picture',
  imageUrl: 'data:image/png;base64,AAAA',
  info: { rdns: 'dev.gatefold.broken' },
}
