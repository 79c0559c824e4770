import { createGatefold } from '@gatefold/kit'
import { connect } from '@gatefold/kit/core'
import { embedded, updateEmail } from '@gatefold/kit/embedded'
import { evm } from '@gatefold/kit/evm'
import { defineChain } from 'viem'

import { embeddedOf } from '../../../packages/kit/src/connectors/embeddedWallet/embedded.ts'
import { instanceOf } from '../../../packages/kit/src/core/kit/Kit.ts'

/** A site without a UI. Query parameters: `frame`, the origin of the secure frame; `log`; `adapters=none`. */
const query = new URLSearchParams(location.search)
const kit = createGatefold({
  metadata: { name: 'Harbor', description: '', url: location.origin, icons: [] },
  networks: [
    defineChain({
      id: 31337,
      name: 'Gatefold Local',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: ['http://localhost:1'] } },
    }),
  ],
  adapters: query.get('adapters') === 'none' ? [] : [evm()],
  connectors: [embedded()],
  endpoints: { frame: query.get('frame')! },
  enableAuthLogger: query.has('log'),
})

const { client, id: connectorId } = embeddedOf(instanceOf(kit))!
const site = { kit, client, updateEmail, connect: () => connect(kit, { connectorId }) }
export type Site = typeof site
Object.assign(window, { site })
