import { connectScenes } from './connect.tsx'
import type { Scenes } from './Scene.ts'
import { walletConnectScenes } from './walletConnect.ts'

/** The scenes that need no adapter code. */
export const disconnectedScenes: Scenes = { ...connectScenes, ...walletConnectScenes }

/** Loads all scenes, by `View` or `View.state`. */
export async function loadScenes(): Promise<Scenes> {
  const { accountScenes } = await import('./account.tsx')
  const { embeddedScenes } = await import('./embedded.ts')
  const { namesScenes } = await import('./names.ts')
  const { receiveScenes } = await import('./receive.ts')
  const { buyScenes } = await import('./buy.ts')
  const { swapScenes } = await import('./swap.ts')
  return {
    ...disconnectedScenes,
    ...accountScenes,
    ...embeddedScenes,
    ...namesScenes,
    ...receiveScenes,
    ...swapScenes,
    ...buyScenes,
  }
}
