import { createGatefold } from '@gatefold/kit'
import { embedded } from '@gatefold/kit/embedded'
import { evm } from '@gatefold/kit/evm'
import { defineChain } from 'viem'

import { embeddedOf } from '../../../packages/kit/src/connectors/embeddedWallet/embedded.ts'
import { instanceOf } from '../../../packages/kit/src/core/kit/Kit.ts'

/** A site without a UI. Query parameter: `frame`, the origin of the secure frame. */
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
  adapters: [evm()],
  connectors: [embedded()],
  endpoints: { frame: new URLSearchParams(location.search).get('frame')! },
})

const site = { kit, client: embeddedOf(instanceOf(kit))!.client }
export type Site = typeof site
Object.assign(window, { site })
