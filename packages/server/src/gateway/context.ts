import type { Counter } from 'prom-client'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import type { AccessContext } from '../http/access.ts'
import type { Chain } from '../rpc/createChain.ts'
import type { Directory } from './directory.ts'
import type { Images } from './images.ts'

/** Services that the gateway's handlers use. */
export type GatewayContext = AccessContext &
  Pick<Context, 'memory' | 'now' | 'storage'> & {
    config: Pick<Config, 'analytics'>
    directory: Directory
    images: Images
    /** Proxied chains by CAIP-2 id. */
    chains: ReadonlyMap<string, Chain>
    /** The ERC-4337 bundlers, as the upstreams of chains. */
    bundlers: ReadonlyMap<string, Chain>
    eventsStored: Counter
  }
