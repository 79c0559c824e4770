import type { UseQueryResult } from '@tanstack/react-query'

import type { OnrampOptions } from '../core/money/onramp/options.ts'
import { useInstance } from './context.ts'
import { useKitQuery } from './queries.ts'

// A separate module, because the account view needs only the options.

/** How long the options stay fresh, in ms. */
const optionsStaleMs = 300_000

/**
 * The tokens that visitors can buy on the site's networks, and the currencies
 * to pay with, from the gateway. They stay fresh for 5 minutes.
 *
 * @example
 * const { data } = useKitOnramp()
 * return data?.tokens.map(({ id, symbol }) => <p key={id}>{symbol}</p>)
 */
export function useKitOnramp(on: useKitOnramp.Parameters = {}): UseQueryResult<OnrampOptions> {
  const kit = useInstance()
  return useKitQuery({
    name: 'onramp',
    key: [],
    enabled: Boolean(kit.options.endpoints.gateway) && on.enabled !== false,
    staleTime: optionsStaleMs,
    load: (_, signal) =>
      import('../core/money/onramp/options.ts').then((run) =>
        run.getOnrampOptions(kit, { signal }),
      ),
  })
}

export declare namespace useKitOnramp {
  /** When to request. */
  type Parameters = {
    /**
     * Whether the options are requested.
     *
     * @default true
     */
    enabled?: boolean | undefined
  }
}
