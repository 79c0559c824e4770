import { useEffect, useState } from 'react'
import type { ComponentType } from 'react'

import { useKitContext } from '../../react/context.ts'

/**
 * The card inside the page, for instances with `enableEmbedded`. Its chunk is loaded on mount.
 *
 * @example <ConnectPanel /> // with createGatefold({ enableEmbedded: true, … })
 */
export function ConnectPanel() {
  const { loadModal } = useKitContext()
  const [Panel, setPanel] = useState<ComponentType>()
  useEffect(() => {
    let stale = false
    loadModal().then(
      (module) => {
        if (!stale) setPanel(() => module.Panel)
      },
      (error: unknown) =>
        // oxlint-disable-next-line no-console -- the message is for the site's developer
        console.error('Gatefold: the panel could not be loaded.', error),
    )
    return () => {
      stale = true
    }
  }, [loadModal])
  return Panel ? <Panel /> : null
}
