import type { Pairing } from '../../../core/pairing.ts'
import { currentView, isOnScreen } from '../../../core/view.ts'
import { useKitState } from '../../../react/context.ts'
import { useKept } from '../../parts/useKept.ts'

/** The pairing on offer; once the visitor has left, the last one, for as long as the view takes to go. */
export function usePairing(): Pairing | undefined {
  const pairing = useKitState((state) => state.pairing)
  const here = useKitState(
    ({ view }) => isOnScreen(view) && currentView(view).name.startsWith('ConnectingWalletConnect'),
  )
  return useKept(pairing, here)
}
